package dev.peregrine.bench.peer;

import dev.peregrine.bench.corpus.Corpus;
import dev.peregrine.bench.corpus.ExpectedHead;
import java.util.List;

/** The peers by name. */
public enum Peer {
  NETTY,
  JETTY,
  UNDERTOW,
  HELIDON;

  PeerParser parserFor(Corpus corpus) {
    return switch (this) {
      case NETTY -> new NettyParser(corpus.bytes());
      case JETTY -> new JettyParser(corpus.bytes());
      case UNDERTOW -> new UndertowParser(corpus.bytes());
      case HELIDON -> helidon(corpus);
    };
  }

  /** Returns how many fields of the head the parser reports. */
  int fieldsShown(ExpectedHead head) {
    List<String> names = head.names();
    // Netty removes Transfer-Encoding from requests that are declared to have no content.
    return this == NETTY && names.stream().anyMatch("Transfer-Encoding"::equalsIgnoreCase)
        ? names.size() - 1
        : names.size();
  }

  /** Helidon rejects HTTP/1.0, which one tool in twenty uses; it gets those heads as HTTP/1.1. */
  private static PeerParser helidon(Corpus corpus) {
    String text = corpus.text().replace(" HTTP/1.0\r\n", " HTTP/1.1\r\n");
    Corpus readable = new Corpus(corpus.name(), text);
    return new HelidonParser(readable.bytes(), readable.heads().size());
  }
}
