"""The classes of the original program that are on the wire, with the identifiers of its last builds."""

from ludoteca.wire.java import Table

# Name, serialVersionUID, fields. No class has a superclass.
_CLASSES = """
messages.clientToServer.ActionReply d9645e6146654f75: action Actions
messages.clientToServer.BuyDevelopmentCardParameters 8762792822fa9152: devCardSlot I, level I, cardDepotRes HashMap, color Color, strongboxRes HashMap, username String, warehouseDepotRes HashMap
messages.clientToServer.DiscardLeaderCardParameters a360461f71251199: id String, username String
messages.clientToServer.EndTurn 6ef17441cb325619:
messages.clientToServer.LeaderCardsReply cf8cf57580da5fb7: leaderCardsId ArrayList, username String
messages.clientToServer.LoginMessage 5c5e58134d8cef37: username String
messages.clientToServer.PlayLeaderCardParameters df5b39f411fffa10: id String, username String
messages.clientToServer.PlayerNumberReply 66336c4db921c778: playerNum I
messages.clientToServer.Pong 78fcbdced314c7c8:
messages.clientToServer.ResourcesManageReply b508f77ba426b25e: discardRes Map, resources Map
messages.clientToServer.ResourcesReply 2aa45b7b8eb93f0d: resources Map, username String
messages.clientToServer.RowColumnSelection 35d3e957218827fc: index I, rowOrCol Z, exchangeBuffResources ArrayList, username String
messages.clientToServer.UseProductionParameters 1f0ee3d3958ddcec: boardResGain ArrayList, cardDepotRes HashMap, indexDevSlot ArrayList, indexLeaderSlot ArrayList, leaderCardGain ArrayList, strongboxRes HashMap, username String, warehouseDepotRes HashMap
messages.serverToClient.ActionRequest 7314d6a93d661a08: possibleActions ArrayList
messages.serverToClient.ActionResponse 6be87977776e5b92: action Actions
messages.serverToClient.DevCardGrid cc77612341649db5: devCardId String[][]
messages.serverToClient.Disconnection 941ea7965273bfe0: username String
messages.serverToClient.EndGameMessage fc558a4a3e8e9e98:
messages.serverToClient.ErrorMessage 6f6f626977567180: error Error
messages.serverToClient.FaithTrackMessage c8a4b2e6c47a85b9: report Z, vaticanReportPos I, activatedVatican ArrayList, position Map
messages.serverToClient.FinalScoreMessage 7d413a38d677b506: lorenzoWin Z, finalScores Map
messages.serverToClient.LeaderCardSetupDone a6c55792d8ad802e:
messages.serverToClient.LeaderCardsRequest 70e48d5df82fdae0: leaderCardsId ArrayList
messages.serverToClient.MarketMarbles df82b7abbf419608: freeMarble MarbleColors, marbles MarbleColors[][]
messages.serverToClient.Ping 55dced3c63ec836d:
messages.serverToClient.PlayerNumberRequest d6baf23e32f9d098: max I
messages.serverToClient.Players 0da6d82a0b7f60e2: players ArrayList
messages.serverToClient.Reconnection 1bd4c2aa6597ea29: username String
messages.serverToClient.ResourcesManageRequest 4cd918fca9426adc: resources ArrayList
messages.serverToClient.ResourcesRequest c806669fec400799: resourceNumber I
messages.serverToClient.StartTurn 6e99518f3dc702f1: name String
messages.serverToClient.StartingResourceDone 6e1307079b035afc:
messages.serverToClient.UsernameResponse 488e5663efead247: isFree Z, nickname String
messages.serverToClient.layoutUpdate.BuyDevelopmentCardUpdate 26b8d84008f25ba7: level I, slot I, color Color, gridId String, id String, nickname String, strongbox Map, warehouse Map
messages.serverToClient.layoutUpdate.DiscardLeaderCardUpdate eddc4f4cc6471687: id String, nickname String
messages.serverToClient.layoutUpdate.LorenzoMessage f609ed9edb78f92a: lorenzoPosition I, message String, newCardGrid String[][]
messages.serverToClient.layoutUpdate.MarketActionUpdate a6c690cf43c39358: pos I, rowOrCol Z, newFreeMarble MarbleColors, newMarbles ArrayList, nickname String, warehouse Map
messages.serverToClient.layoutUpdate.PlayLeaderCardUpdate 4ded9171f53bd32b: id String, nickname String, warehouse Map
messages.serverToClient.layoutUpdate.ReConnectionUpdate 31f3a8799e248d64: setupDone Z, cardsInHand Map, devCardSlots Map, faithPositions Map, leaderCards ArrayList, leaderCardsPlayed Map, playersConnected Map, strongbox Map, username String, vaticanReportActivated Map, warehouse Map
messages.serverToClient.layoutUpdate.SetupGameUpdate 46fb821c2c86bc21: leaderCards Map, newFaithTrackPosition Map, resources Map
messages.serverToClient.layoutUpdate.UseProductionUpdate 032d0f71b66797f3: nickname String, strongbox Map, warehouse Map
"""
_ENUMS = {
    "client.representations.MarbleColors": "WHITE RED BLUE YELLOW GREY PURPLE",
    "controller.Actions": (
        "PLAYLEADERCARD DISCARDLEADERCARD BUYDEVELOPMENTCARD USEPRODUCTION MARKETACTION ENDTURN MANAGE"
    ),
    "controller.Error": (
        "STARTING_LEADER_CARD STARTING_RESOURCES STARTING_MANAGE_RESOURCES INVALID_ACTION MANAGE_RESOURCES"
    ),
    "model.Resource": "COINS STONES SERVANTS SHIELDS",
    "model.gameboard.Color": "PURPLE YELLOW GREEN BLUE",
}

TABLE = Table("it.polimi.ingsw.", _CLASSES, _ENUMS)
