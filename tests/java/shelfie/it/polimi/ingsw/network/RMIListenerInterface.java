package it.polimi.ingsw.network;

import it.polimi.ingsw.network.server.ClientHandlerRMIInterface;
import java.rmi.Remote;
import java.rmi.RemoteException;

/** What the registry knows. */
public interface RMIListenerInterface extends Remote {
    ClientHandlerRMIInterface getHandler() throws RemoteException;
}
