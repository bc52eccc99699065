# A player of My Shelfie, written from PROTOCOL.md alone: takes one tile a turn, into the emptiest column.
#
#   perl shelfie.pl 127.0.0.1:11500 ada [players]

use strict;
use warnings;
use IO::Socket::INET;
use JSON::PP;
use List::Util qw(any);

my ($address, $name, $players) = (@ARGV, 2);
my $server = IO::Socket::INET->new(PeerAddr => $address) or die "nobody at $address: $!\n";
$server->autoflush(1);
STDOUT->autoflush(1);
my $json = JSON::PP->new->utf8;

my %board;                                          # "row column" => tile
my @shelf = map { [("EMPTY") x 5] } 1 .. 6;         # The top row first.
my @hand;                                           # What we took and did not place yet.
my $result;

sub say_it { my ($type, %fields) = @_; print $server $json->encode({ type => $type, %fields }), "\n" }

sub look_at {
    my $shown = shift;
    %board = map { ("$_->{row} $_->{column}" => $_->{tile}) } @{ $shown->{cells} };
}

# Whether a tile lies there and has an empty side.
sub is_free {
    my $cell = shift;
    my ($row, $column) = split / /, $cell;
    return 0 if $board{$cell} eq "EMPTY";
    return any { ($board{ $row + $_->[0] . " " . ($column + $_->[1]) } // "EMPTY") eq "EMPTY" }
        ([-1, 0], [1, 0], [0, -1], [0, 1]);
}

sub take {
    my @free = grep { is_free($_) } keys %board;
    my ($row, $column) = split / /, $free[rand @free];
    say_it("PickTileRequest", position => { row => $row + 0, column => $column + 0 });
}

# The column with the most empty places.
sub emptiest {
    my %room = map { my $column = $_; $column => scalar grep { $_->[$column] eq "EMPTY" } @shelf } 0 .. 4;
    return (sort { $room{$b} <=> $room{$a} } keys %room)[0] + 0;
}

my %hearers = (
    PingMessage => sub { say_it("PongMessage") },
    LoginResponse => sub {
        die "the name $name is taken\n" if !defined $_[0]{nickname};
        print "$name is in\n";
    },
    NumPlayersRequest => sub { say_it("NumPlayersResponse", numPlayers => $players + 0) },
    GameStartNotify => sub {
        look_at($_[0]{board});
        take() if $_[0]{nextPlayer} eq $name;
    },
    PickTileResponse => sub {
        @hand = @{ $_[0]{pickedTiles} };
        say_it("ConfirmPickRequest");
    },
    ConfirmPickResponse => sub {
        look_at($_[0]{board});
        say_it("ConfirmColumnRequest", columnNumber => emptiest()) if @hand;
    },
    ConfirmColumnResponse => sub { say_it("ConfirmOrderNotify", pickedTiles => [@hand]) },
    EndTurnNotify => sub {
        my $message = shift;
        look_at($message->{board});
        if ($message->{player} eq $name) {
            @shelf = @{ $message->{bookshelf}{rows} };
            @hand = ();
        } elsif ($message->{nextPlayer} eq $name) {
            # The last turn of all names the mover again.
            take();
        }
    },
    GameResultNotify => sub { $result = shift },
);

say_it("LoginRequest", nickname => $name);
while (my $line = <$server>) {
    my $message = $json->decode($line);
    my $hearer = $hearers{ $message->{type} };
    $hearer->($message) if $hearer;
}
die "$name: the match was broken off\n" if !$result;
my $points = join ", ", map { "$_ $result->{points}{$_}" } sort keys %{ $result->{points} };
print "over: $result->{winner} wins ($points)\n";
