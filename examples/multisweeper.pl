# A player of Multisweeper, written from PROTOCOL.md alone: clicks cells by chance until it is over.
#
#   perl multisweeper.pl 127.0.0.1:1337 ada

use strict;
use warnings;
use IO::Socket::INET;

use constant CLOSED => 9;

my ($address, $name) = @ARGV;
my $server = IO::Socket::INET->new(PeerAddr => $address) or die "nobody at $address: $!\n";
$server->autoflush(1);
STDOUT->autoflush(1);

my ($width, @board) = (0);
my $result = "the connection ended";
my @results = ("lost", "plays on", "won");

while (my $line = <$server>) {
    $line =~ s/\r?\n$//;
    my ($word, @rest) = split / /, $line;
    if ($word eq "multisweeper") {
        print $server "multisweeper client v1\nname $name\n";
        print "$name waits for the others\n";
    } elsif ($word eq "start") {
        $width = $rest[0];
        @board = (CLOSED) x ($rest[0] * $rest[1]);
        print "a round of $rest[0] x $rest[1] with $rest[2] mines\n";
    } elsif ($word eq "board_update") {
        @board = @rest;
    } elsif ($word eq "turn_start") {
        my @closed = grep { $board[$_] == CLOSED } 0 .. $#board;
        my $cell = $closed[rand @closed];
        print $server "click ", $cell % $width, " ", int($cell / $width), "\n";
    } elsif ($word eq "end_condition") {
        $result = $results[$rest[0]];
        print "$name $result\n";
    } elsif ($word eq "sudden_exit" and $result ne "lost") {
        # For a spectator this is the end; for a player it was broken off.
        die "$name: the tournament was broken off\n";
    }
}

print "over: $name $result\n";
exit($result eq "lost" || $result eq "won" ? 0 : 1);
