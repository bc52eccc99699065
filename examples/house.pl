# A player of any game in Ludoteca's own protocol, written from house.md alone: answers by chance.
#
#   perl house.pl 127.0.0.1:8001 ada santorini [players]

use strict;
use warnings;
use IO::Socket::INET;
use JSON::PP;
use List::Util qw(any first);

my ($address, $name, $game, $players) = (@ARGV, 2);
my $server = IO::Socket::INET->new(PeerAddr => $address) or die "nobody at $address: $!\n";
$server->autoflush(1);
STDOUT->autoflush(1);
my $json = JSON::PP->new->utf8;
my (@names, $over);

sub say_it { my ($type, %fields) = @_; print $server $json->encode({ type => $type, %fields }), "\n" }

my %hearers = (
    welcome => sub { say_it("list", game => $game) },
    tables => sub {
        # Sit down where a chair is free, else open a table.
        my $free = first { $_->{phase} eq "open" and any { !defined } @{ $_->{chairs} } } @{ $_[0]{tables} };
        if ($free) { say_it("sit", table => $free->{id}) }
        else { say_it("open", game => $game, seats => $players + 0) }
    },
    seated => sub {
        @names = map { $_ ? $_->{name} : "" } @{ $_[0]{table}{chairs} };
        print "$name is in\n";
    },
    sat => sub { $names[$_[0]{seat}] = $_[0]{sitter}{name} },
    question => sub {
        my ($message, @options) = ($_[0], @{ $_[0]{options} // [] });
        # More answers than are sent by themselves: ask for one of them.
        if (@options) { say_it("act", action => $options[rand @options], at => $message->{number}) }
        else { say_it("options", start => int rand($message->{count}), count => 1) }
    },
    options => sub { say_it("act", action => $_[0]{options}[0], at => $_[0]{number}) },
    declined => sub {
        return if $_[0]{code} eq "stale" or $_[0]{code} eq "turn";
        die "$_[0]{request} was declined: $_[0]{reason}\n";
    },
    over => sub { $over = shift },
    gone => sub { die "the table is gone: $_[0]{reason}\n" },
);

say_it("hello", name => $name, options_max => 64);
while (!$over and my $line = <$server>) {
    my $message = $json->decode($line);
    my $hearer = $hearers{ $message->{type} };
    $hearer->($message) if $hearer;
}
die "$name: the match was broken off\n" if !$over or !@{ $over->{ranks} };
say_it("leave");
print "over: ", join(" and ", @names[@{ $over->{winners} }]) || "nobody", " wins\n";
