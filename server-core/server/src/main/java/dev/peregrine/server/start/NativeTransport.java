package dev.peregrine.server.start;

import dev.peregrine.server.config.MemorySource;
import dev.peregrine.server.transport.Transport;
import org.jspecify.annotations.Nullable;

/** The transport by system calls of the platform, in place of {@code java.nio}. Thread-safe. */
public interface NativeTransport {
  /** Returns the name of the transport, for logs. */
  String name();

  /**
   * Returns why system calls can't be made in this VM, as far as that is known without a try; null
   * if nothing is known. Takes no time.
   */
  @Nullable String knownProblem();

  /** Returns why the transport can't be used in this VM; null if it can. Links system calls. */
  @Nullable String problem();

  /** Returns true if system calls are linked, so that using them takes no time of the start. */
  boolean isLinked();

  /** Has system calls be avoided until something needs them. */
  void postponeLink();

  /** Links system calls. */
  void link();

  /**
   * Returns the transport.
   *
   * @throws UnsupportedOperationException if there is a {@link #problem}
   */
  Transport open();

  /** Returns memory of the system, for any transport. */
  MemorySource memory();

  /** Loads what a loop needs to move its sockets to the transport, so that they don't wait. */
  void rehearseMove();

  /** Keeps descriptors from a number on for connections: no file that is read takes one. */
  void keepFrom(int descriptor);
}
