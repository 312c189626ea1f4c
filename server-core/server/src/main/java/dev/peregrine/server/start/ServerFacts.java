package dev.peregrine.server.start;

import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.config.ServerLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Facts of a server that events contain. The methods are called on any thread. */
public interface ServerFacts {
  /** Returns the server's name. */
  String server();

  /** Returns the name of its transport. */
  String transport();

  /** Returns where it listens and what it speaks there, in words. */
  String endpoints();

  /** Returns how request heads are scanned at present. */
  ScannerKind scanner();

  /** Returns how long a handler must be pinned to be logged; null if it isn't logged. */
  @Nullable Duration pinnedTime();

  /** Returns its limits. */
  ServerLimits limits();
}
