#!/bin/sh
# Certificates for the three servers of NATS, and the authority that they are of, in tls/: good for trying it out,
# and for a network of your own. Nothing that is there already is written over.
set -eu
mkdir -p tls
cd tls
request() { openssl req -x509 -newkey rsa:2048 -nodes -days 3650 "$@" 2>/dev/null; }
[ -e ca.key ] || request -subj "/CN=the house's servers" -keyout ca.key -out ca.pem
for name in nats-1 nats-2 nats-3; do
    [ -e "$name.key" ] || request -subj "/CN=$name" -addext "subjectAltName=DNS:$name" \
        -CA ca.pem -CAkey ca.key -keyout "$name.key" -out "$name.pem"
done
# The server of NATS in its container is nobody's friend here, and must read them.
chmod 644 ./*.pem nats-?.key
