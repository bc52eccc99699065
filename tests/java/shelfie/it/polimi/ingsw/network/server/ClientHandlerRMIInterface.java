package it.polimi.ingsw.network.server;

import it.polimi.ingsw.network.client.ClientRMIInterface;
import it.polimi.ingsw.network.message.ClientMessage;
import java.rmi.Remote;
import java.rmi.RemoteException;

/** The server's side of one client. */
public interface ClientHandlerRMIInterface extends Remote {
    void registerClient(ClientRMIInterface client) throws RemoteException;

    void receiveMessage(ClientMessage message) throws RemoteException;

    void testConnection() throws RemoteException;
}
