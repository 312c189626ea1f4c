package dev.peregrine.server.start;

/** The handle that a program has of its server, as the artifacts of Peregrine see it. */
public abstract class ServerHandle {
  /** Creates the handle of one server. */
  protected ServerHandle() {}

  /** Returns the server behind a handle. */
  public static RunningServer of(ServerHandle handle) {
    return handle.running();
  }

  /** Returns the server. */
  protected abstract RunningServer running();
}
