package dev.peregrine.bench.compare.server;

import java.time.Duration;

/**
 * A server in a separate process. Prints {@link #LISTENING} and its port, and ends when its
 * standard input does, so that it can't outlive the process that started it.
 */
public final class ServerMain {
  /** The beginning of the line with the port. */
  public static final String LISTENING = "listening on ";

  private static final Duration CLOSE_TIME = Duration.ofSeconds(2);

  private ServerMain() {}

  /** Starts the server whose {@link ServerKind#id} is the argument. */
  @SuppressWarnings("SystemOut") // the channel to the process that started it
  public static void main(String[] args) throws Exception {
    ComparedServer server = ServerKind.named(args[0]).create();
    System.out.println(LISTENING + server.start(0));
    System.setOut(System.err); // the parent reads no more lines from the pipe
    while (System.in.read() >= 0) {
      // the parent sends no bytes: this waits for the end
    }
    Thread.ofPlatform().daemon().start(() -> close(server)).join(CLOSE_TIME);
    Runtime.getRuntime().halt(0);
  }

  @SuppressWarnings("SystemOut") // goes to the server's log
  private static void close(ComparedServer server) {
    try {
      server.close();
    } catch (Exception failure) {
      System.err.println("close: " + failure);
    }
  }
}
