package dev.peregrine.server.start;

/** What the artifacts of Peregrine see of the handle that a program has of its server. */
public abstract class ServerHandle {
  /** Creates the handle of one server. */
  protected ServerHandle() {}

  /** Returns the server behind a handle. */
  public static RunningServer of(ServerHandle handle) {
    return handle.running();
  }

  /**
   * Returns the server.
   *
   * @hidden
   */
  protected abstract RunningServer running();
}
