import it.polimi.ingsw.network.RMIListenerInterface;
import it.polimi.ingsw.network.client.ClientRMIInterface;
import it.polimi.ingsw.network.message.ClientMessage;
import it.polimi.ingsw.network.message.GameStartNotify;
import it.polimi.ingsw.network.message.ServerMessage;
import it.polimi.ingsw.network.server.ClientHandlerRMIInterface;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;

/**
 * Plays over remote calls as the original does: whatever there is to say is said inside the call that brought the
 * question, and the call with the first board lasts for a while. Leaves with 0 when the result was seen.
 */
public class Rmi implements ClientRMIInterface {
    private static final long THINK_MS = 300;

    private final Player player;
    private ClientHandlerRMIInterface handler;

    private Rmi(String name, int seats, long seed) {
        player = new Player(name, seats, seed, this::say);
    }

    /** host port name seats seed */
    public static void main(String[] arguments) throws Exception {
        Rmi client = new Rmi(arguments[2], Integer.parseInt(arguments[3]), Long.parseLong(arguments[4]));
        Registry registry = LocateRegistry.getRegistry(arguments[0], Integer.parseInt(arguments[1]));
        RMIListenerInterface listener = (RMIListenerInterface) registry.lookup("RMIListener");
        UnicastRemoteObject.exportObject(client, 0);
        client.handler = listener.getHandler();
        client.handler.registerClient(client);
        client.player.begin();
        while (true) {
            Thread.sleep(500);
            client.handler.testConnection();
        }
    }

    @Override
    public void receiveMessage(ServerMessage message) {
        if (message instanceof GameStartNotify) {
            try {
                Thread.sleep(THINK_MS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        synchronized (player) {
            player.hear(message);
            if (player.isOver) Runtime.getRuntime().halt(0);
        }
    }

    private void say(ClientMessage message) {
        try {
            handler.receiveMessage(message);
        } catch (RemoteException error) {
            System.out.println("cannot say: " + error);
            System.out.flush();
            Runtime.getRuntime().halt(3);
        }
    }
}
