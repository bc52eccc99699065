// Servers of a benchmark are nobody else's business: whatever listens in this process listens on 127.0.0.1.
import net from "node:net";

const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (where, ...rest) {
  const port = typeof where === "object" ? where.port : Number(where);
  const whenReady = rest.find((one) => typeof one === "function");
  return listen.call(this, { port, host: "127.0.0.1" }, whenReady);
};

export function announce(server) {
  console.log(`listening peer 127.0.0.1:${server.address().port}\nready`);
}
