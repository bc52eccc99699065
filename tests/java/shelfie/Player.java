import it.polimi.ingsw.model.Board;
import it.polimi.ingsw.model.Position;
import it.polimi.ingsw.model.Tile;
import it.polimi.ingsw.network.message.*;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** Plays My Shelfie at random, whatever carries the messages, and tells on standard output what it heard. */
public class Player {
    /** So long the last turn is looked at before anything else; the original draws the board meanwhile. */
    private static final long LAST_LOOK_MS = 50;

    private final String name;
    private final int seats;
    private final Random random;
    private final Consumer<ClientMessage> say;
    private Map<Position, Tile> board = Map.of();
    private List<Position> candidates = new ArrayList<>();
    private Position asked;
    private int wanted;
    private int column;
    private List<Tile> picked = List.of();
    private boolean isMoving;
    private boolean hasUnpicked;
    private boolean hasChatted;
    public volatile boolean isOver;

    public Player(String name, int seats, long seed, Consumer<ClientMessage> say) {
        this.name = name;
        this.seats = seats;
        this.random = new Random(seed);
        this.say = say;
    }

    public void begin() {
        LoginRequest login = new LoginRequest();
        login.nickname = name;
        say.accept(login);
    }

    public void hear(ServerMessage message) {
        tell(message);
        if (message instanceof PingMessage) say.accept(new PongMessage());
        else if (message instanceof LoginResponse response) require(name.equals(response.nickname), "refused");
        else if (message instanceof NumPlayersRequest) chooseNumber();
        else if (message instanceof GameStartNotify start) turn(start.board, start.nextPlayer.equals(name));
        else if (message instanceof PickTileResponse response) picked(response);
        else if (message instanceof UnpickTileResponse response) unpicked(response);
        else if (message instanceof ConfirmPickResponse response) confirmed(response);
        else if (message instanceof ConfirmColumnResponse response) columned(response);
        else if (message instanceof EndTurnNotify end) ended(end);
        else if (message instanceof GameResultNotify) isOver = true;
    }

    private void tell(ServerMessage message) {
        String line = message.getClass().getSimpleName();
        if (message instanceof ChatMessage chat) line += " " + chat.player + ": " + chat.textMessage;
        if (message instanceof EndTurnNotify end) line += " " + end.player + " " + end.points;
        if (message instanceof PlayerDisconnectedNotify lost) line += " " + lost.disconnectedPlayer;
        System.out.println(line);
        System.out.flush();
    }

    private void chooseNumber() {
        NumPlayersResponse response = new NumPlayersResponse();
        response.numPlayers = seats;
        say.accept(response);
    }

    @SuppressWarnings("unchecked")
    private void turn(Board shown, boolean isMine) {
        board = shown.board;
        isMoving = isMine;
        if (!isMine) return;
        if (!hasChatted) {
            hasChatted = true;
            ChatMessage chat = new ChatMessage();
            chat.player = name;
            chat.receiver = "Everyone";
            chat.textMessage = "ciao a tutti \uD83D\uDE00";
            say.accept(chat);
        }
        candidates = new ArrayList<>();
        for (Map.Entry<Position, Tile> cell : board.entrySet())
            if (cell.getValue() != Tile.EMPTY) candidates.add(cell.getKey());
        candidates.sort((one, other) -> one.row != other.row ? one.row - other.row : one.column - other.column);
        Collections.shuffle(candidates, random);
        wanted = 1 + random.nextInt(3);
        picked = List.of();
        column = 0;
        pickNext();
    }

    private void pickNext() {
        if (picked.size() < wanted && !candidates.isEmpty()) {
            asked = candidates.remove(0);
            PickTileRequest request = new PickTileRequest();
            request.position = asked;
            say.accept(request);
        } else {
            say.accept(new ConfirmPickRequest());
        }
    }

    @SuppressWarnings("unchecked")
    private void picked(PickTileResponse response) {
        picked = response.pickedTiles;
        if (response.valid && !hasUnpicked) {
            hasUnpicked = true;
            UnpickTileRequest request = new UnpickTileRequest();
            request.position = asked;
            say.accept(request);
        } else {
            pickNext();
        }
    }

    @SuppressWarnings("unchecked")
    private void unpicked(UnpickTileResponse response) {
        require(response.successful && response.pickedTiles.isEmpty(), "a tile that was picked can be given back");
        picked = response.pickedTiles;
        candidates.add(0, asked);
        pickNext();
    }

    private void confirmed(ConfirmPickResponse response) {
        if (!isMoving) return;
        require(response.valid, "what was picked can be taken");
        chooseColumn();
    }

    private void chooseColumn() {
        ConfirmColumnRequest request = new ConfirmColumnRequest();
        request.columnNumber = column++;
        say.accept(request);
    }

    private void columned(ConfirmColumnResponse response) {
        if (!response.valid) {
            chooseColumn();
            return;
        }
        List<Tile> order = new ArrayList<>(picked);
        if (response.needForSwap) Collections.shuffle(order, random);
        ConfirmOrderNotify notify = new ConfirmOrderNotify();
        notify.pickedTiles = order;
        say.accept(notify);
    }

    private void ended(EndTurnNotify end) {
        if (end.nextPlayer.equals(end.player)) pause();
        else turn(end.board, end.nextPlayer.equals(name));
    }

    private static void pause() {
        try {
            Thread.sleep(LAST_LOOK_MS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void require(boolean isTrue, String what) {
        if (isTrue) return;
        System.out.println("not so: " + what);
        System.out.flush();
        Runtime.getRuntime().halt(2);
    }
}
