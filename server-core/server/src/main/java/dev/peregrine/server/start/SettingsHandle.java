package dev.peregrine.server.start;

/** A program's builder of servers, as the artifacts of Peregrine see it. */
public abstract class SettingsHandle {
  /** Creates the handle of one builder. */
  protected SettingsHandle() {}

  /**
   * Returns the options that a builder describes, for one server.
   *
   * @throws IllegalStateException if the handler is not set
   */
  public static ServerSettings of(SettingsHandle handle) {
    return handle.options();
  }

  /** Returns the options, for one server. */
  protected abstract ServerSettings options();
}
