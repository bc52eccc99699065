package it.polimi.ingsw.network.client;

import it.polimi.ingsw.network.message.ServerMessage;
import java.rmi.Remote;
import java.rmi.RemoteException;

/** A client, as the server calls it. */
public interface ClientRMIInterface extends Remote {
    void receiveMessage(ServerMessage message) throws RemoteException;
}
