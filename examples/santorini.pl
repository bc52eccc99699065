# A player of Santorini, written from PROTOCOL.md alone: chooses by chance among what the server offers.
#
#   perl santorini.pl 127.0.0.1:2033 ada [players]

use strict;
use warnings;
use IO::Socket::INET;
use JSON::PP;
use List::Util qw(any shuffle);

my ($address, $name, $players) = (@ARGV, 2);
my $server = IO::Socket::INET->new(PeerAddr => $address) or die "nobody at $address: $!\n";
$server->autoflush(1);
STDOUT->autoflush(1);
my $json = JSON::PP->new->utf8;

my @builders;    # Where our own two stand.
my @taken;       # Where anybody stands, while builders are placed.
my $offer;       # The last offer, to choose from again after a refusal.
my $winner;

sub say_it { my ($type, %fields) = @_; print $server $json->encode({ type => $type, %fields }), "\n" }
sub pick { $_[rand @_] }
sub same { $_[0]{i} == $_[1]{i} and $_[0]{j} == $_[1]{j} }

# Move or build, as the last offer has it: a list for each builder; for domes, two more.
sub choose {
    my @lists = @{ $offer->{possibleDst} };
    my @ways = map { my $number = $_; map { [$number, $_] } @{ $lists[$number] } } 0 .. $#lists;
    my ($number, $cell) = @{ pick(@ways) };
    if ($offer->{type} eq "possibleMoveDestinations") {
        say_it("move", src => $builders[$number], dst => $cell);
    } else {
        my $dome = $number >= 2 ? JSON::PP::true : JSON::PP::false;
        say_it("build", src => $builders[$number % 2], dst => $cell, buildDome => $dome);
    }
}

sub walk {
    my $message = shift;
    return if $message->{name} ne $name;
    @builders = map { same($_, $message->{src}) ? $message->{dst} : $_ } @builders;
}

sub offered { $offer = shift; choose() }

my %hearers = (
    ping => sub { say_it("pong") },
    askNumberOfPlayers => sub { say_it("setNumberOfPlayers", numberOfPlayers => $players + 0) },
    stateUpdate => sub { print "$name waits for the others\n" if $_[0]{state} eq "SETUP_PLAYERS" },
    askNickAndDate => sub { say_it("addPlayer", name => $name, date => int(1950 + rand 60) . ".01.02") },
    playerAdded => sub { die "the name $name is taken\n" if $_[0]{name} eq $name and !$_[0]{result} },
    chooseMatchGodCards => sub {
        my @gods = shuffle(keys %{ $_[0]{godDescriptions} });
        say_it("setMatchGodCards", godCardNames => [@gods[0 .. $_[0]{numberOfPlayers} - 1]]);
    },
    askGod => sub {
        my %chosen = map { $_ => 1 } @{ $_[0]{chosenGodCards} };
        say_it("setGodCard", godCard => pick(grep { !$chosen{$_} } keys %{ $_[0]{godDescriptions} }));
    },
    chooseStartPlayer => sub { say_it("setStartPlayer", name => pick(@{ $_[0]{players} })) },
    askColor => sub {
        my %chosen = map { $_ => 1 } @{ $_[0]{chosenColors} };
        say_it("colorUpdate", color => pick(grep { !$chosen{$_} } qw(MAGENTA LIGHT_BLUE WHITE)));
    },
    askBuilders => sub {
        my @cells = map { { i => int($_ / 5), j => $_ % 5 } } 0 .. 24;
        my @free = shuffle(grep { my $cell = $_; !any { same($cell, $_) } @taken } @cells);
        say_it("buildersPlacement", positions => [@free[0, 1]]);
    },
    buildersPlacement => sub {
        return if !$_[0]{result};
        push @taken, @{ $_[0]{positions} };
        @builders = @{ $_[0]{positions} } if $_[0]{name} eq $name;
    },
    possibleMoveDestinations => \&offered,
    possibleBuildDestinations => \&offered,
    builderPushed => \&walk,
    move => sub { $_[0]{result} ? walk($_[0]) : choose() },
    build => sub { choose() if !$_[0]{result} },
    askStep => sub { say_it("setStepChoice", stepChoice => pick(@{ $_[0]{possibleSteps} })) },
    endGame => sub { $winner = $_[0]{winner} },
    disconnect => sub { say_it("disconnect") },
);

while (!defined $winner and my $line = <$server>) {
    my $message = $json->decode($line);
    my $hearer = $hearers{ $message->{type} };
    $hearer->($message) if $hearer;
}
die "$name: the match was broken off\n" if !defined $winner;
print "over: $winner wins\n";
