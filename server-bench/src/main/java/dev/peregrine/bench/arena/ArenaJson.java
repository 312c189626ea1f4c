package dev.peregrine.bench.arena;

import dev.peregrine.http.JsonCodec;
import io.avaje.jsonb.JsonType;
import io.avaje.jsonb.Jsonb;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads and writes the records of this package by avaje-jsonb. */
final class ArenaJson implements JsonCodec {
  private static final Jsonb JSONB = Jsonb.instance();
  private static final JsonType<Item.Page> PAGE = JSONB.type(Item.Page.class);

  static List<Item> items(Path file) throws IOException {
    return JSONB.type(Item.class).list().fromJson(Files.readString(file));
  }

  /** Reads an array of strings. */
  static List<String> texts(String json) {
    return JSONB.type(String.class).list().fromJson(json);
  }

  @Override
  public void write(Object value, OutputStream target) throws IOException {
    target.write(
        value instanceof Item.Page page ? PAGE.toJsonBytes(page) : JSONB.toJsonBytes(value));
  }

  @Override
  public <T> T read(byte[] content, Class<T> type) {
    return JSONB.type(type).fromJson(content);
  }
}
