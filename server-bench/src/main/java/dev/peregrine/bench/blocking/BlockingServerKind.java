package dev.peregrine.bench.blocking;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The servers that can be measured. Those on a loop are the contrast: what blocks stops them. */
enum BlockingServerKind {
  PEREGRINE,
  PEREGRINE_LOOP,
  HELIDON,
  ROBAHO,
  JETTY,
  VERTX,
  VERTX_LOOP,
  JDK;

  /**
   * Returns the kind with that {@link #id}.
   *
   * @throws IllegalArgumentException if no server has it; the message lists the names
   */
  static BlockingServerKind named(String id) {
    List<String> ids = Arrays.stream(values()).map(BlockingServerKind::id).toList();
    int index = ids.indexOf(id);
    if (index < 0) {
      throw new IllegalArgumentException(
          "no server is called " + id + "; there are " + String.join(", ", ids));
    }
    return values()[index];
  }

  /** Returns the name on command lines. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  BlockingServer create(Work work) {
    return switch (this) {
      case PEREGRINE -> new PeregrineBlocking(work, true);
      case PEREGRINE_LOOP -> new PeregrineBlocking(work, false);
      case HELIDON -> new HelidonBlocking(work);
      case ROBAHO -> JdkBlocking.robaho(work);
      case JETTY -> new JettyBlocking(work);
      case VERTX -> new VertxBlocking(work, true);
      case VERTX_LOOP -> new VertxBlocking(work, false);
      case JDK -> JdkBlocking.jdk(work);
    };
  }
}
