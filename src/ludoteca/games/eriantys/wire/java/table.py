"""The classes of the original program whose objects travel, as facts.

A row for each: name, superclass in brackets, identifier, and fields in the order of the stream. Where the
original's text client is content with null, nothing is sent, and the classes of that are not here.
"""

from ludoteca.wire.java import Table

TABLE = Table(
    "it.polimi.ingsw.",
    """
server.rules.Rules 0000000000000000:
network.Message 792c36f3a169933c: messageType MessageType
model.AssistantCard cf74ea66f66ba4ff: cardID I, cardValue I, movements I
model.Bag d1a076baf4250e8e: students Map
model.Board c7906cefdc4f58d2: studentsEntrance ArrayList, studentsRoom Map
model.Character c9f78d708aaea8a3: ID I, cost I, first Z, islandFlag I, description String, name \
    String, rules Rules, studentsOnCard ArrayList
model.Cloud cec50a181a481e27: cloudID I, studentsClouds ArrayList
model.GameModel 91b74373380b7a44: coins I, characters ArrayList, clouds ArrayList, gameMode \
    GameMode, islandHandler IslandsHandler, name String, playerHandler PlayersHandler, studentsBag Bag, \
    teacherHandler TeachersHandler
model.Island 592d85750c014ebb: ID I, flagNoInfluence I, size I, islandOwner Player, studentsOnIsland Map
model.IslandsHandler 7bd7ce54e49d2b73: countsLastMerge I, motherNature I, islands ArrayList
model.Player 1f58a1eca9aa3c9c: numOfTower I, playerCoin I, activeCharacter Character, cards \
    ArrayList, id String, lastCardUsed AssistantCard, nickname String, playerBoard Board, roundActions \
    RoundActions, towerColor TowerColor
model.PlayersHandler 1d5b4ca83025e31c: numPlayers I, alreadyPlayed ArrayList, currentPlayer Player, \
    firstPlayer Player, players ArrayList
model.TeachersHandler 379a8bc05e1b0102: teachers Map
network.heartbeat.HeartbeatMessage(Message) 4d71d9837639d503:
network.messages.AckTowerColor(Message) b22a56d6c9f23d78:
network.messages.AskAction(Message) 53af2004a812f910: isInvalidAction Z, roundActions RoundActions
network.messages.AskAssistantCard(Message) 8fd8dfaf2626b049: game GameModel, possibleCards List
network.messages.AskGameListMessage(Message) 22b69cf90fecf142: playerId String
network.messages.AskNewGameChoice(Message) 87284dca8a8f6ab6:
network.messages.AskNewGameName(Message) f65e7e60a9e3e072:
network.messages.AskNickname(Message) 7f5b3cbdf2889658: isFirstRequest Z
network.messages.AskTowerColor(Message) 61d5b0e6466f5ec0: isFirstRequest Z, possibleColors List
network.messages.GameListMessage(Message) ed0e55d6f793d80e: gameList List
network.messages.GameStart(Message) 36a0608e1a2c86d1: firstPlayer String, game GameModel
network.messages.NewGameMessage(Message) 857fd45f71cb3c68: gameInfo GameListInfo, playerId String
network.messages.NotifyPlayerIdMessage(Message) adcfca2be4f0f59f: playerId String
network.messages.SelectGameMessage(Message) d1256faaeb32d5a3: gameName String, playerId String
network.messages.SetAction(Message) 9669f0dc36f9a4e6: action Action, nickname String
network.messages.SetAssistantCard(Message) 3ce06e9671c220bd: assistantCard AssistantCard, nickname \
    String
network.messages.SetNickname(Message) 0e9df254aac6e964: nickname String, playerId String
network.messages.SetTowerColor(Message) 71ca7fe1990e5ffc: color TowerColor, playerId String
network.messages.ShowDisconnection(Message) 86cbd6129a34e0e5: disconnectedNickname String
network.messages.ShowEndGame(Message) f64f38f53bf54359: winnerNickname String
network.messages.ShowLastRound(Message) c8e9e162965367fb:
network.messages.UpdateGameBoard(Message) cc9365855e748cfb: game GameModel
util.Action 757ff26276b87f6d: integer I, actionType ActionType, optionalPiece Piece, principalPiece \
    Piece
util.GameListInfo 6b6f53dccb53f75c: numPlayers I, gameMode GameMode, gameName String
util.RoundActions 95a49a21a0ff5591: actionList ArrayList
""",
    enums={
        "model.Piece": "UNICORN FAIRY GNOME DRAGON FROG",
        "util.TowerColor": "BLACK GRAY WHITE",
        "util.GameMode": "BASIC EXPERT",
        "util.MessageType": "CV VC SYS",
        "util.ActionType": "MOVE_STUDENT_TO_ISLAND MOVE_STUDENT_TO_DININGROOM MOVE_MOTHER_NATURE "
        "CHOOSE_CLOUD END CHOOSE_CHARACTER ACTIVATED_CHARACTER INFO_CHARACTER STUDENT_FROM_CARD_TO_ISLAND "
        "DOUBLE_INFLUENCE NO_INFLUENCE STUDENT_FROM_CARD_TO_ENTRANCE COLOR_NO_INFLUENCE "
        "STUDENT_FROM_ENTRANCE_TO_DINING STUDENT_FROM_CARD_TO_DINING STUDENT_FROM_DINING_TO_BAG",
    },
)
