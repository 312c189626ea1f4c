package dev.peregrine.http.coding;

/**
 * The coding gzip.
 *
 * @param level effort, 1 to 9
 */
record Gzip(int level) implements ContentCoding {
  static final String NAME = "gzip";
  private static final int LEVEL_MAX = 9;

  Gzip {
    if (level < 1 || level > LEVEL_MAX) {
      throw new IllegalArgumentException("level is " + level + ", but must be 1 to " + LEVEL_MAX);
    }
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
