# A player of Eriantys, written from PROTOCOL.md alone: fills the dining room, Basic mode.
#
#   perl eriantys.pl 127.0.0.1:8090 ada [players]

use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;
use JSON::PP;
use List::Util qw(any first);
use Time::HiRes qw(time);

use constant { BEAT_S => 0.5, TABLE_MAX => 10 };

my ($address, $name, $players) = (@ARGV, 2);
my $server = IO::Socket::INET->new(PeerAddr => $address) or die "nobody at $address: $!\n";
$server->autoflush(1);
STDOUT->autoflush(1);
my $json = JSON::PP->new->utf8;
my ($id, $board, $winner, $is_over) = ("");

sub say_it { my ($type, %fields) = @_; print $server $json->encode({ type => $type, %fields }), "\n" }
sub pick { $_[rand @_] }
sub look { say_it("AskGameListMessage", playerID => $id) }

# One action of those that are possible.
sub act {
    my %can = map { $_ => 1 } @_;
    my $me = first { $_->{nickname} eq $name } @{ $board->{players} };
    if ($can{CHOOSE_CLOUD}) {
        my @full = grep { any { $_ } values %{ $_->{students} } } @{ $board->{clouds} };
        return { actionType => "CHOOSE_CLOUD", cloud => pick(@full)->{id} };
    }
    if ($can{MOVE_MOTHER_NATURE}) {
        return { actionType => "MOVE_MOTHER_NATURE", steps => 1 + int rand $me->{lastAssistant}{steps} };
    }
    return { actionType => "END" } if $can{END};
    my @colours = grep { $me->{entrance}{$_} } keys %{ $me->{entrance} };
    my @seats = grep { $me->{diningRoom}{$_} < TABLE_MAX } @colours;
    if (@seats and rand() < 0.7) {
        return { actionType => "MOVE_STUDENT_TO_DININGROOM", color => pick(@seats) };
    }
    my $island = pick(@{ $board->{islands} })->{id};
    return { actionType => "MOVE_STUDENT_TO_ISLAND", color => pick(@colours), island => $island };
}

my %hearers = (
    NotifyPlayerIdMessage => sub { $id = $_[0]{playerID}; look() },
    GameListMessage => sub {
        my @games = @{ $_[0]{gameList} };
        my $info = { gameName => $name, gameMode => "Basic", numPlayers => $players + 0 };
        if (@games) { say_it("SelectGameMessage", playerID => $id, gameName => $games[0]{gameName}) }
        else { say_it("NewGameMessage", playerID => $id, gameInfo => $info) }
    },
    AskNewGameName => \&look,
    AskNewGameChoice => \&look,
    AskNickname => sub {
        die "the name $name is taken\n" if !$_[0]{isFirstRequest};
        say_it("SetNickname", playerID => $id, nickname => $name);
    },
    AskTowerColor => sub { say_it("SetTowerColor", playerID => $id, color => $_[0]{possibleColors}[0]) },
    AckTowerColor => sub { print "$name is in\n" },
    GameStart => sub { $board = $_[0]{game} },
    UpdateGameBoard => sub { $board = $_[0]{gameInfo} },
    AskAssistantCard => sub {
        $board = $_[0]{game};
        say_it("SetAssistantCard", nickname => $name, assistantCard => pick(@{ $_[0]{possibleCards} }));
    },
    AskAction => sub { say_it("SetAction", nickname => $name, action => act(@{ $_[0]{possibleActions} })) },
    ShowEndGame => sub { ($winner, $is_over) = ($_[0]{winnerNickname}, 1) },
    ShowDisconnection => sub { die +($_[0]{disconnectedNickname} // "somebody"), " has left\n" },
);

# Bytes are read as they come: two seconds without a line of ours count as lost, so nothing may wait for long.
my ($select, $buffer, $beat_at) = (IO::Select->new($server), "", 0);
while (!$is_over) {
    if (time() >= $beat_at) {
        say_it("Heartbeat");
        $beat_at = time() + BEAT_S;
    }
    next if !$select->can_read(BEAT_S / 2);
    sysread($server, $buffer, 65536, length $buffer) or last;
    while ($buffer =~ s/^(.*)\n//) {
        my $message = $json->decode($1);
        my $hearer = $hearers{ $message->{type} };
        $hearer->($message) if $hearer;
    }
}
die "$name: the match was broken off\n" if !$is_over;
print "over: ", $winner // "nobody", " wins\n";
