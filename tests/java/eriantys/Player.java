import it.polimi.ingsw.model.*;
import it.polimi.ingsw.network.Message;
import it.polimi.ingsw.network.heartbeat.HeartbeatMessage;
import it.polimi.ingsw.network.messages.*;
import it.polimi.ingsw.util.*;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Plays Eriantys at random as the original does: one thread reads and answers, another sends heartbeats, two
 * seconds without a word are the end. Tells on standard output what it heard and did; leaves with 0 when the
 * match has ended.
 */
public class Player {
    private static final int HEARTBEAT_MS = 500;
    private static final int SILENCE_MS = 2000;

    private final String name;
    private final String game;
    private final int seats;
    private final GameMode mode;
    private final Random random;
    private final ObjectOutputStream out;
    private String id;
    private GameModel model;
    private int refusals;

    private Player(String[] arguments, ObjectOutputStream out) {
        name = arguments[2];
        game = arguments[3];
        seats = Integer.parseInt(arguments[4]);
        mode = GameMode.valueOf(arguments[5]);
        random = new Random(Long.parseLong(arguments[6]));
        this.out = out;
    }

    /** host port name game seats mode seed; with 0 seats it joins the game instead of opening it */
    public static void main(String[] arguments) throws Exception {
        Socket socket = new Socket(arguments[0], Integer.parseInt(arguments[1]));
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(SILENCE_MS);
        ObjectOutputStream out = new ObjectOutputStream(socket.getOutputStream());
        out.flush();
        ObjectInputStream in = new ObjectInputStream(socket.getInputStream());
        Player player = new Player(arguments, out);
        Thread heart = new Thread(player::beat);
        heart.setDaemon(true);
        heart.start();
        try {
            while (player.hear((Message) in.readObject())) {}
        } catch (EOFException end) {
            leave("the stream ended", 3);
        }
    }

    private void beat() {
        try {
            while (true) {
                say(new HeartbeatMessage(), MessageType.SYS);
                Thread.sleep(HEARTBEAT_MS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean hear(Message message) {
        if (message.messageType != MessageType.CV) leave("a message of the kind " + message.messageType, 2);
        if (!(message instanceof HeartbeatMessage)) tell(message.getClass().getSimpleName());
        if (message instanceof NotifyPlayerIdMessage notify) enter(notify.playerId);
        else if (message instanceof GameListMessage list) choose(list);
        else if (message instanceof AskNewGameChoice) askForList();
        else if (message instanceof AskNickname ask) nickname(ask);
        else if (message instanceof AskTowerColor ask) colour(ask);
        else if (message instanceof GameStart start) look(start.game);
        else if (message instanceof UpdateGameBoard update) look(update.game);
        else if (message instanceof AskAssistantCard ask) assistant(ask);
        else if (message instanceof AskAction ask) act(ask);
        else if (message instanceof ShowEndGame end) leave("winner " + end.winnerNickname, 0);
        else if (message instanceof ShowDisconnection lost) leave("lost " + lost.disconnectedNickname, 4);
        return true;
    }

    private void enter(String given) {
        id = given;
        if (seats == 0) {
            askForList();
            return;
        }
        NewGameMessage message = new NewGameMessage();
        message.playerId = id;
        message.gameInfo = new GameListInfo();
        message.gameInfo.gameName = game;
        message.gameInfo.gameMode = mode;
        message.gameInfo.numPlayers = seats;
        say(message, MessageType.SYS);
    }

    private void askForList() {
        AskGameListMessage message = new AskGameListMessage();
        message.playerId = id;
        say(message, MessageType.SYS);
    }

    private void choose(GameListMessage list) {
        for (Object entry : list.gameList) {
            GameListInfo info = (GameListInfo) entry;
            tell("offered " + info.gameName + " " + info.gameMode + " " + info.numPlayers);
        }
        SelectGameMessage message = new SelectGameMessage();
        message.playerId = id;
        message.gameName = game;
        say(message, MessageType.SYS);
    }

    private void nickname(AskNickname ask) {
        SetNickname message = new SetNickname();
        message.playerId = id;
        message.nickname = name;
        say(message, MessageType.VC);
    }

    private void colour(AskTowerColor ask) {
        SetTowerColor message = new SetTowerColor();
        message.playerId = id;
        message.color = (TowerColor) any(ask.possibleColors);
        say(message, MessageType.VC);
    }

    /** The board must hang together: everybody is one object, wherever it is pointed at from. */
    private void look(GameModel shown) {
        model = shown;
        List<?> players = model.playerHandler.players;
        if (!players.contains(model.playerHandler.currentPlayer)) leave("a stranger is on turn", 2);
        if (!players.contains(model.playerHandler.firstPlayer)) leave("a stranger began", 2);
        for (Object owner : model.teacherHandler.teachers.values())
            if (!players.contains(owner)) leave("a stranger has a professor", 2);
        int tiles = 0;
        for (Object each : model.islandHandler.islands) {
            Island island = (Island) each;
            tiles += island.size;
            if (island.studentsOnIsland.size() != Piece.values().length) leave("a colour is missing", 2);
            if (island.islandOwner != null && !players.contains(island.islandOwner)) leave("a stranger's tower", 2);
        }
        if (tiles != 12) leave(tiles + " islands", 2);
        if (!id.equals(me().id)) leave("not my id", 2);
        if (model.gameMode == GameMode.EXPERT)
            for (Object each : model.characters)
                if (((it.polimi.ingsw.model.Character) each).description.isEmpty()) leave("a card without words", 2);
    }

    private it.polimi.ingsw.model.Player me() {
        for (Object each : model.playerHandler.players)
            if (((it.polimi.ingsw.model.Player) each).nickname.equals(name)) return (it.polimi.ingsw.model.Player) each;
        throw new IllegalStateException("I am not there");
    }

    private void assistant(AskAssistantCard ask) {
        look(ask.game);
        SetAssistantCard message = new SetAssistantCard();
        message.nickname = name;
        message.assistantCard = (AssistantCard) any(ask.possibleCards);
        say(message, MessageType.VC);
    }

    private void act(AskAction ask) {
        refusals = ask.isInvalidAction ? refusals + 1 : 0;
        if (refusals > 200) leave("nothing is good enough", 2);
        List<ActionType> kinds = new ArrayList<>();
        for (Object action : ask.roundActions.actionList) kinds.add(((Action) action).actionType);
        boolean canHelp = kinds.remove(ActionType.INFO_CHARACTER);
        if (canHelp != kinds.contains(ActionType.CHOOSE_CHARACTER)) leave("help without characters", 2);
        ActionType kind = kinds.get(random.nextInt(kinds.size()));
        boolean isBuying = kind == ActionType.CHOOSE_CHARACTER;
        // What cannot be afforded is tried now and then, to be asked again.
        if (isBuying && refusals == 0 && me().playerCoin == 0 && kinds.size() > 1) kind = kinds.get(0);
        if (isBuying && refusals > 0) kind = kinds.get(0);
        SetAction message = new SetAction();
        message.nickname = name;
        if (kind != ActionType.END) message.action = action(kind);
        tell("does " + kind);
        say(message, MessageType.VC);
    }

    private Action action(ActionType kind) {
        Action action = new Action();
        action.actionType = kind;
        action.principalPiece = Piece.values()[random.nextInt(5)];
        int groups = model.islandHandler.islands.size();
        switch (kind) {
            case MOVE_STUDENT_TO_ISLAND:
            case STUDENT_FROM_CARD_TO_ISLAND:
            case DOUBLE_INFLUENCE:
            case NO_INFLUENCE:
                action.integer = random.nextInt(groups);
                break;
            case MOVE_MOTHER_NATURE:
                action.integer = 1 + random.nextInt(me().lastCardUsed.movements);
                break;
            case CHOOSE_CLOUD:
                action.integer = 1 + random.nextInt(model.clouds.size());
                break;
            case CHOOSE_CHARACTER:
                action.integer = ((it.polimi.ingsw.model.Character) any(model.characters)).ID;
                break;
            case STUDENT_FROM_CARD_TO_ENTRANCE:
            case STUDENT_FROM_ENTRANCE_TO_DINING:
                action.optionalPiece = Piece.values()[random.nextInt(5)];
                if (random.nextInt(8) == 0) action.integer = -1;
                break;
            default:
                break;
        }
        return action;
    }

    private Object any(List<?> list) {
        return list.get(random.nextInt(list.size()));
    }

    private synchronized void say(Message message, MessageType type) {
        message.messageType = type;
        try {
            out.writeUnshared(message);
            out.flush();
            out.reset();
        } catch (IOException error) {
            tell("cannot say: " + error);
        }
    }

    private static void tell(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static void leave(String why, int code) {
        tell(why);
        Runtime.getRuntime().halt(code);
    }
}
