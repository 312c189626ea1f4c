package dev.peregrine.bench.idle;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/** The exchanges of a client with the server, before and after its connection is idle. */
interface Dialogue {
  /** Begins a connection, and returns when the server has nothing more to send. */
  void begin(SocketChannel connection) throws IOException;

  /** Asks for something more, and returns when the answer has arrived. */
  void askAgain(SocketChannel connection) throws IOException;
}
