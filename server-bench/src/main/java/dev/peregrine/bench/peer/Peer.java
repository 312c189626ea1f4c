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

  /** How many fields of the head the parser shows. */
  int fieldsShown(ExpectedHead head) {
    List<String> names = head.names();
    // Netty takes Transfer-Encoding away from requests that it is told have no content.
    return this == NETTY && names.stream().anyMatch("Transfer-Encoding"::equalsIgnoreCase)
        ? names.size() - 1
        : names.size();
  }

  /** Helidon refuses HTTP/1.0, which one tool in twenty speaks; it gets them as HTTP/1.1. */
  private static PeerParser helidon(Corpus corpus) {
    String text = corpus.text().replace(" HTTP/1.0\r\n", " HTTP/1.1\r\n");
    Corpus readable = new Corpus(corpus.name(), text);
    return new HelidonParser(readable.bytes(), readable.heads().size());
  }
}
