package dev.peregrine.server.start;

/** What the artifacts of Peregrine see of a program's builder of servers. */
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

  /**
   * Returns the options, for one server.
   *
   * @hidden
   */
  protected abstract ServerSettings options();
}
