import it.polimi.ingsw.controller.Actions;
import it.polimi.ingsw.messages.clientToServer.*;
import it.polimi.ingsw.messages.serverToClient.*;
import it.polimi.ingsw.messages.serverToClient.layoutUpdate.*;
import it.polimi.ingsw.model.Resource;
import it.polimi.ingsw.model.gameboard.Color;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Plays Masters of Renaissance as the original does on the wire: one stream each way, never reset. It buys what it
 * can, produces now and then, takes from the market else, and tells on standard output what it heard. Leaves with 0
 * when the score was seen, with 3 when the stream ended before, and with 4 after so many turns if that is asked for.
 */
public class Player {
    /** What the cheapest cards cost: so many of one resource. */
    private static final Map<String, Resource> CHEAP = Map.of(
            "D001", Resource.SHIELDS, "D002", Resource.SERVANTS, "D003", Resource.COINS, "D004", Resource.STONES,
            "D009", Resource.SHIELDS, "D010", Resource.SERVANTS, "D011", Resource.COINS, "D012", Resource.STONES);
    private static final Color[] COLUMNS = {Color.PURPLE, Color.YELLOW, Color.GREEN, Color.BLUE};
    private static final int[] PLACES = {1, 2, 3};

    private final ObjectOutputStream out;
    private final String name;
    private final int seats;
    private final int leavesAfter;
    private final Map<Resource, Integer> strongbox = new HashMap<>();
    private Map<Integer, ArrayList<Resource>> warehouse = new HashMap<>();
    private String[][] grid = new String[3][4];
    private List<String> hand = new ArrayList<>();
    private final boolean[] isTaken = new boolean[3];
    private int turns;
    private boolean wasRefused;

    /** host port name seats turns (0: to the end) */
    public static void main(String[] arguments) throws Exception {
        Socket socket = new Socket(arguments[0], Integer.parseInt(arguments[1]));
        ObjectOutputStream out = new ObjectOutputStream(socket.getOutputStream());
        out.flush();
        ObjectInputStream in = new ObjectInputStream(socket.getInputStream());
        Player player = new Player(out, arguments[2], Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]));
        LoginMessage login = new LoginMessage();
        login.username = player.name;
        player.say(login);
        try {
            while (true) player.hear((ServerMessage) in.readObject());
        } catch (IOException end) {
            System.out.println("the stream ended: " + end);
            System.out.flush();
            Runtime.getRuntime().halt(3);
        }
    }

    private Player(ObjectOutputStream out, String name, int seats, int leavesAfter) {
        this.out = out;
        this.name = name;
        this.seats = seats;
        this.leavesAfter = leavesAfter;
        for (int depot = 0; depot < 3; depot++) warehouse.put(depot, new ArrayList<>());
    }

    private void say(ClientMessage message) throws IOException {
        out.writeObject(message);
        out.flush();
    }

    private void hear(ServerMessage message) throws IOException {
        tell(message);
        if (message instanceof Ping) say(new Pong());
        else if (message instanceof PlayerNumberRequest) {
            PlayerNumberReply reply = new PlayerNumberReply();
            reply.playerNum = seats;
            say(reply);
        } else if (message instanceof DevCardGrid cards) grid = cards.devCardId;
        else if (message instanceof LeaderCardsRequest request) {
            LeaderCardsReply reply = new LeaderCardsReply();
            reply.leaderCardsId = new ArrayList<>(request.leaderCardsId.subList(0, 2));
            reply.username = name;
            say(reply);
        } else if (message instanceof ResourcesRequest request) {
            ResourcesReply reply = new ResourcesReply();
            HashMap<Integer, ArrayList<Resource>> chosen = new HashMap<>();
            for (int depot = 0; depot < 3; depot++) chosen.put(depot, new ArrayList<>());
            for (int count = 0; count < request.resourceNumber; count++) chosen.get(2).add(Resource.COINS);
            reply.resources = chosen;
            reply.username = name;
            say(reply);
        } else if (message instanceof SetupGameUpdate update) {
            hand = new ArrayList<>((List<String>) update.leaderCards.get(name));
            warehouse = (Map<Integer, ArrayList<Resource>>) update.resources.get(name);
        } else if (message instanceof ReConnectionUpdate update) {
            hand = new ArrayList<>(update.leaderCards);
            warehouse = (Map<Integer, ArrayList<Resource>>) update.warehouse.get(name);
            strongbox.putAll((Map<Resource, Integer>) update.strongbox.get(name));
            Map<Integer, ArrayList<String>> slots = (Map<Integer, ArrayList<String>>) update.devCardSlots.get(name);
            for (int slot = 0; slot < 3; slot++) isTaken[slot] = !slots.get(slot).isEmpty();
        } else if (message instanceof ErrorMessage) wasRefused = true;
        else if (message instanceof ActionRequest request) choose(request.possibleActions);
        else if (message instanceof ActionResponse response) act(response.action);
        else if (message instanceof ResourcesManageRequest request) place(request.resources);
        else if (message instanceof MarketActionUpdate update) store(update.nickname, update.warehouse, null);
        else if (message instanceof UseProductionUpdate update)
            store(update.nickname, update.warehouse, update.strongbox);
        else if (message instanceof BuyDevelopmentCardUpdate update) {
            store(update.nickname, update.warehouse, update.strongbox);
            for (int column = 0; column < 4; column++)
                if (COLUMNS[column] == update.color) grid[3 - update.level][column] = update.gridId;
            if (update.nickname.equals(name)) isTaken[update.slot] = true;
        } else if (message instanceof DiscardLeaderCardUpdate update && update.nickname.equals(name))
            hand.remove(update.id);
        else if (message instanceof FinalScoreMessage) {
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }
    }

    private void store(String nickname, Map<?, ?> depots, Map<?, ?> chest) {
        if (!nickname.equals(name)) return;
        warehouse = (Map<Integer, ArrayList<Resource>>) depots;
        if (chest != null) strongbox.putAll((Map<Resource, Integer>) chest);
    }

    private void tell(ServerMessage message) {
        String line = message.getClass().getSimpleName();
        if (message instanceof StartTurn turn) line += " " + turn.name;
        if (message instanceof FinalScoreMessage score) line += " " + score.finalScores;
        if (message instanceof Disconnection gone) line += " " + gone.username;
        if (message instanceof ErrorMessage error) line += " " + error.error;
        if (message instanceof MarketActionUpdate update) line += " " + update.nickname + " " + update.newMarbles;
        System.out.println(line);
    }

    // What to do.

    private void choose(List<Actions> open) throws IOException {
        Actions action;
        if (open.contains(Actions.ENDTURN)) {
            if (++turns == leavesAfter) {
                System.out.println("leaves");
                System.out.flush();
                Runtime.getRuntime().halt(4);
            }
            action = Actions.ENDTURN;
        } else if (wasRefused) action = Actions.MARKETACTION;
        else if (turns > 0 && !hand.isEmpty() && open.contains(Actions.DISCARDLEADERCARD))
            action = Actions.DISCARDLEADERCARD;
        else if (purchase() != null) action = Actions.BUYDEVELOPMENTCARD;
        else if (turns % 3 == 2 && stored().size() >= 2) action = Actions.USEPRODUCTION;
        else action = Actions.MARKETACTION;
        wasRefused = false;
        ActionReply reply = new ActionReply();
        reply.action = action;
        say(reply);
    }

    private void act(Actions action) throws IOException {
        switch (action) {
            case ENDTURN -> say(new EndTurn());
            case DISCARDLEADERCARD -> {
                DiscardLeaderCardParameters discard = new DiscardLeaderCardParameters();
                discard.id = hand.get(0);
                discard.username = name;
                say(discard);
            }
            case BUYDEVELOPMENTCARD -> say(purchase());
            case USEPRODUCTION -> say(production());
            default -> {
                RowColumnSelection line = new RowColumnSelection();
                line.rowOrCol = turns % 2 == 0;
                line.index = turns % 3;
                line.exchangeBuffResources = new ArrayList<>();
                line.username = name;
                say(line);
            }
        }
    }

    private List<Resource> stored() {
        List<Resource> all = new ArrayList<>();
        for (int depot = 0; depot < 3; depot++) all.addAll(warehouse.get(depot));
        return all;
    }

    private BuyDevelopmentCardParameters purchase() {
        int slot = isTaken[0] ? isTaken[1] ? isTaken[2] ? 3 : 2 : 1 : 0;
        for (int column = 0; column < 4 && slot < 3; column++) {
            String card = grid[2][column];
            if (card == null || !CHEAP.containsKey(card)) continue;
            int price = card.compareTo("D009") < 0 ? 2 : 3;
            if (Collections.frequency(stored(), CHEAP.get(card)) < price) continue;
            BuyDevelopmentCardParameters bought = new BuyDevelopmentCardParameters();
            bought.color = COLUMNS[column];
            bought.level = 1;
            bought.devCardSlot = slot;
            bought.warehouseDepotRes = new HashMap<>(Map.of(CHEAP.get(card), price));
            bought.cardDepotRes = new HashMap<>();
            bought.strongboxRes = new HashMap<>();
            bought.username = name;
            return bought;
        }
        return null;
    }

    private UseProductionParameters production() {
        List<Resource> spent = stored().subList(0, 2);
        UseProductionParameters produced = new UseProductionParameters();
        produced.boardResGain = new ArrayList<>(List.of(spent.get(0), spent.get(1), Resource.SHIELDS));
        produced.warehouseDepotRes = new HashMap<>();
        for (Resource each : spent)
            produced.warehouseDepotRes.put(each, Collections.frequency(spent, each));
        produced.cardDepotRes = new HashMap<>();
        produced.strongboxRes = new HashMap<>();
        produced.indexDevSlot = new ArrayList<>();
        produced.indexLeaderSlot = new ArrayList<>();
        produced.leaderCardGain = new ArrayList<>();
        produced.username = name;
        return produced;
    }

    /** The most of one kind below, the next above it; what does not fit goes to the others as faith. */
    private void place(List<Resource> gained) throws IOException {
        Map<Resource, Integer> counts = new HashMap<>();
        for (Resource each : stored()) counts.merge(each, 1, Integer::sum);
        for (Resource each : gained) counts.merge(each, 1, Integer::sum);
        List<Resource> kinds = new ArrayList<>(counts.keySet());
        kinds.sort((one, other) -> counts.get(other) - counts.get(one));
        ResourcesManageReply reply = new ResourcesManageReply();
        HashMap<Integer, ArrayList<Resource>> placed = new HashMap<>();
        HashMap<Resource, Integer> discarded = new HashMap<>(counts);
        for (int depot = 2; depot >= 0; depot--) {
            placed.put(depot, new ArrayList<>());
            if (2 - depot >= kinds.size()) continue;
            Resource kind = kinds.get(2 - depot);
            int held = Math.min(PLACES[depot], counts.get(kind));
            for (int count = 0; count < held; count++) placed.get(depot).add(kind);
            discarded.put(kind, counts.get(kind) - held);
        }
        reply.resources = placed;
        reply.discardRes = discarded;
        say(reply);
    }
}
