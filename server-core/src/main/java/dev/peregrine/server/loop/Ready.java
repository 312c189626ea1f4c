package dev.peregrine.server.loop;

import java.nio.channels.SelectionKey;

/** What a socket can be ready for, as bits; the values are those of {@link SelectionKey}. */
public final class Ready {
  public static final int READ = SelectionKey.OP_READ;
  public static final int WRITE = SelectionKey.OP_WRITE;
  public static final int ACCEPT = SelectionKey.OP_ACCEPT;

  private Ready() {}
}
