package dev.peregrine.bench.duel;

import dev.peregrine.bench.corpus.NativeHeads;
import dev.peregrine.parser.ScannerKind;
import java.util.Locale;

/**
 * Our parser with one scanner. Every instance loads the parser's classes again, so that they are
 * compiled for one scanner, as in a server, and not for all scanners.
 */
final class OwnParser implements Contender {
  private final String name;
  private final Passes passes;

  OwnParser(ScannerKind scanner) {
    name = scanner.name().toLowerCase(Locale.ROOT);
    try {
      Class<?> own = new OwnLoader().loadClass(HeadPasses.class.getName());
      passes = (Passes) own.getConstructor(String.class).newInstance(scanner.name());
    } catch (ReflectiveOperationException failure) {
      throw new IllegalStateException("can't load the parser for " + scanner, failure);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isOurs() {
    return true;
  }

  @Override
  public long run(NativeHeads heads, long rounds) {
    return passes.run(heads.segment(), heads.length(), rounds);
  }
}
