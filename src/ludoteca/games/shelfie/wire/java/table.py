"""The classes of the original program whose objects travel, as facts.

A row for each: name, superclass in brackets, identifier, and fields in the order of the stream. Where the
original's text client is content with null, nothing is sent, and the classes of that are not here.
"""

from ludoteca.wire.java import Table

PACKAGE = "it.polimi.ingsw."
ROWS = """
model.Bag 423499e2ae2542dd: currentNumberOfTiles I, bag LinkedHashMap
model.Board 72bdeb2631a725ac: bag Bag, board HashMap
model.Bookshelf 2491d672bdb07876: bookshelf Tile[][]
model.CommonGoal 5843171a621c859a: id I, name String, predicate Predicate
model.PersonalGoal ae4fe68e1e717064: id I, positions List, rewards Map, tiles List
model.Position c1143fc00a16ffd8: column I, row I
network.message.ChatMessage fa97a1164c0cf83c: player String, receiver String, textMessage String
network.message.ConfirmColumnRequest 153bba19c7a12b90: columnNumber I
network.message.ConfirmColumnResponse 2618df432f54dee3: needForSwap Z, valid Z
network.message.ConfirmOrderNotify 4d098d71a94b61cd: pickedTiles List
network.message.ConfirmPickRequest 2f08faadc384ff28:
network.message.ConfirmPickResponse 13fd93556a202053: valid Z, board Board
network.message.EndTurnNotify ea705fdf5459a230: endGame Z, points I, board Board, bookshelf \
    Bookshelf, commonGoalsTokens List, nextPlayer String, player String
network.message.GameResultNotify 311a2a4f9c0cf581:
network.message.GameStartNotify cc678045b575f951: board Board, commonGoals List, commonGoalsTokens \
    List, nextPlayer String, personalGoal PersonalGoal, players List
network.message.LobbyInfoMessage 2a718eb5db85a022: newPlayerConnected Z, sizeLobby I, lobby List, \
    playerName String
network.message.LoginRequest e76c6e5a1da239cd: nickname String
network.message.LoginResponse ee01e811b29665f9: nickname String
network.message.NumPlayersRequest 402b22c784ad40c2:
network.message.NumPlayersResponse 521df064d29676ed: numPlayers I
network.message.PickTileRequest edba62e5b51cb3b4: position Position
network.message.PickTileResponse 8dfce2247ac48c90: valid Z, pickedTiles List
network.message.PingMessage d0dbaf1e803be592:
network.message.PlayerDisconnectedNotify b710b7e8b44eced3: disconnectedPlayer String
network.message.PongMessage 811d3f42c610b1d9:
network.message.UnpickTileRequest 74968e1dba352cc6: position Position
network.message.UnpickTileResponse b0797f4bb0828a3b: successful Z, pickedTiles List
"""
ENUMS = {"model.Tile": "EMPTY GREEN WHITE YELLOW BLUE LBLUE PINK"}

TABLE = Table(PACKAGE, ROWS, ENUMS)
