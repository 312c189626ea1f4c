package dev.peregrine.http.coding;

import dev.peregrine.base.Range;

/**
 * The coding gzip.
 *
 * @param level effort, 1 to 9
 */
record Gzip(int level) implements ContentCoding {
  static final String NAME = "gzip";
  private static final int LEVEL_MAX = 9;

  Gzip {
    Range.check("level", level, 1, LEVEL_MAX);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public ContentEncoder newEncoder() {
    return new GzipEncoder(level);
  }
}
