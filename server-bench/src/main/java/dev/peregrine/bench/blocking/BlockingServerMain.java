package dev.peregrine.bench.blocking;

import dev.peregrine.bench.compare.server.ServerMain;

/**
 * A server in a separate process. Prints that it listens, and ends when its standard input does, so
 * that it can't outlive the process that started it.
 */
final class BlockingServerMain {
  private BlockingServerMain() {}

  /** Starts the server whose {@link BlockingServerKind#id} and port are the arguments. */
  @SuppressWarnings("SystemOut") // the channel to the process that started it
  public static void main(String[] args) throws Exception {
    BlockingServer server =
        BlockingServerKind.named(args[0]).create(Work.of(System.getProperties()));
    System.out.println(ServerMain.LISTENING + server.start(Integer.parseInt(args[1])));
    while (System.in.read() >= 0) {
      // the parent sends no bytes: this waits for the end
    }
    Runtime.getRuntime().halt(0);
  }
}
