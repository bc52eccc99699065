import java.io.EOFException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

/** Reads objects from standard input with the real reader, and writes each of them again with the real writer. */
public class Mirror {
    /** The argument says when to reset: "never", "before" each object, or "after" it (and unshared). */
    public static void main(String[] arguments) throws Exception {
        ObjectOutputStream out = new ObjectOutputStream(System.out);
        out.flush();
        ObjectInputStream in = new ObjectInputStream(System.in);
        while (true) {
            Object object;
            try {
                object = in.readObject();
            } catch (EOFException end) {
                return;
            }
            if (arguments[0].equals("before")) out.reset();
            if (arguments[0].equals("after")) {
                out.writeUnshared(object);
                out.reset();
            } else {
                out.writeObject(object);
            }
            out.flush();
        }
    }
}
