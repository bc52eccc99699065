# A player of Masters of Renaissance, written from PROTOCOL.md alone: goes to the market in every turn.
#
#   perl renaissance.pl 127.0.0.1:4000 adalove [players]

use strict;
use warnings;
use IO::Socket::INET;
use JSON::PP;
use List::Util qw(any first shuffle);

my ($address, $name, $players) = (@ARGV, 2);
my $server = IO::Socket::INET->new(PeerAddr => $address) or die "nobody at $address: $!\n";
$server->autoflush(1);
STDOUT->autoflush(1);
my $json = JSON::PP->new->utf8;
my @places = (1, 2, 3);
my @depots = ([], [], []);
my $score;

sub say_it { my ($type, %fields) = @_; print $server $json->encode({ type => $type, %fields }), "\n" }

sub warehouse { my @held = @_; return { map { $_ => $held[$_] } 0 .. 2 } }

# What there is and as much of the rest as has a place; what is left out is discarded.
sub store {
    my @filled = map { [@$_] } @depots;
    for my $resource (@_) {
        # One depot for a resource; a new one goes where the least room is enough.
        my $depot = first { any { $_ eq $resource } @{ $filled[$_] } } 0 .. 2;
        $depot //= first { !@{ $filled[$_] } } 0 .. 2;
        next if !defined $depot or @{ $filled[$depot] } >= $places[$depot];
        push @{ $filled[$depot] }, $resource;
    }
    return warehouse(@filled);
}

my %hearers = (
    ping => sub { say_it("pong") },
    usernameResponse => sub {
        die "the name $name cannot be had: $_[0]{reason}\n" if !$_[0]{free};
        print "$name is in\n";
    },
    numberOfPlayersRequest => sub { say_it("numberOfPlayersReply", number => $players + 0) },
    leaderCardsRequest => sub {
        my @cards = shuffle(@{ $_[0]{leaderCards} });
        say_it("leaderCardsReply", username => $name, leaderCards => [@cards[0, 1]]);
    },
    resourcesRequest => sub {
        $depots[2] = [("COINS") x $_[0]{number}];
        say_it("resourcesReply", username => $name, warehouse => warehouse(@depots));
    },
    possibleActions => sub {
        my $ends = any { $_ eq "ENDTURN" } @{ $_[0]{actions} };
        say_it("actionReply", action => $ends ? "ENDTURN" : "MARKETACTION");
    },
    actionResponse => sub {
        return if $_[0]{action} ne "MARKETACTION";
        my $row = rand() < 0.5;
        my $index = int rand($row ? 3 : 4);
        my $is_row = $row ? JSON::PP::true : JSON::PP::false;
        say_it("rowColumnSelection", username => $name, index => $index, row => $is_row, exchange => []);
    },
    resourcesManageRequest => sub {
        say_it("resourcesManageReply", username => $name, warehouse => store(@{ $_[0]{resources} }));
    },
    marketUpdate => sub {
        my $message = shift;
        @depots = map { $message->{warehouse}{$_} } 0 .. 2 if $message->{username} eq $name;
    },
    error => sub { die "the server says $_[0]{error}: ", $_[0]{detail} // "", "\n" },
    finalScore => sub { $score = shift },
);

say_it("loginRequest", username => $name);
while (!$score and my $line = <$server>) {
    my $message = $json->decode($line);
    my $hearer = $hearers{ $message->{type} };
    $hearer->($message) if $hearer;
}
die "$name: the match was broken off\n" if !$score;
my $winners = join(" and ", @{ $score->{winners} }) || "Lorenzo";
my $points = join ", ", map { "$_ $score->{scores}{$_}" } sort keys %{ $score->{scores} };
print "over: $winners wins ($points)\n";
