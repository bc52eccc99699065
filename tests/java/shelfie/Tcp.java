import it.polimi.ingsw.network.message.ClientMessage;
import it.polimi.ingsw.network.message.ServerMessage;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Plays over TCP as the original does: messages are handled apart from reading, and whatever is not handled when
 * the stream ends is dropped. Leaves with 0 when the result was seen, with 3 when the stream ended before.
 */
public class Tcp {
    private static ObjectOutputStream out;

    /** host port name seats seed */
    public static void main(String[] arguments) throws Exception {
        Socket socket = new Socket(arguments[0], Integer.parseInt(arguments[1]));
        socket.setTcpNoDelay(true);
        out = new ObjectOutputStream(socket.getOutputStream());
        out.flush();
        ObjectInputStream in = new ObjectInputStream(socket.getInputStream());
        Player player =
                new Player(arguments[2], Integer.parseInt(arguments[3]), Long.parseLong(arguments[4]), Tcp::say);
        ExecutorService hands = Executors.newSingleThreadExecutor();
        player.begin();
        try {
            while (true) {
                ServerMessage message = (ServerMessage) in.readObject();
                hands.execute(() -> {
                    player.hear(message);
                    if (player.isOver) Runtime.getRuntime().halt(0);
                });
            }
        } catch (IOException end) {
            hands.shutdownNow();
            System.out.println("the stream ended: " + end);
            System.out.flush();
            Runtime.getRuntime().halt(3);
        }
    }

    private static synchronized void say(ClientMessage message) {
        try {
            out.reset();
            out.writeObject(message);
            out.flush();
        } catch (IOException error) {
            System.out.println("cannot say: " + error);
        }
    }
}
