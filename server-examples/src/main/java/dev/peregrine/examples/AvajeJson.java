package dev.peregrine.examples;

import dev.peregrine.http.JsonCodec;
import io.avaje.json.JsonException;
import io.avaje.json.stream.JsonOutput;
import io.avaje.jsonb.JsonType;
import io.avaje.jsonb.Jsonb;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Type;
import java.util.Objects;

/**
 * JSON by avaje-jsonb: of the libraries that are maintained (fastjson2, Jackson 3) it allocates
 * least, it needs neither reflection nor Unsafe, and it writes bytes where the caller says.
 */
final class AvajeJson implements JsonCodec {
  /** Passes on what is serialised; used again by its thread. */
  private static final class Output implements JsonOutput {
    private OutputStream target = OutputStream.nullOutputStream();

    @Override
    public void write(byte[] source, int from, int length) throws IOException {
      target.write(source, from, length);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    @Override
    public OutputStream unwrapOutputStream() {
      return target;
    }
  }

  /** Loaded with the first value, or by {@link #load}. */
  private static final class Library {
    static final Jsonb JSONB = Jsonb.instance();

    private Library() {}
  }

  private final ThreadLocal<Output> outputs = ThreadLocal.withInitial(Output::new);
  private final ClassValue<JsonType<Object>> types =
      new ClassValue<>() {
        @Override
        protected JsonType<Object> computeValue(Class<?> type) {
          return Library.JSONB.type((Type) type);
        }
      };

  /**
   * Loads the library, unless that was done. It takes about as long as the start of a server, so a
   * program can do it when its server listens already; a value that comes meanwhile waits for it.
   */
  static void load() {
    Objects.requireNonNull(Library.JSONB);
  }

  @Override
  public void write(Object value, OutputStream target) throws IOException {
    Output output = outputs.get();
    output.target = target;
    try {
      types.get(value.getClass()).toJson(value, output);
    } finally {
      output.target = OutputStream.nullOutputStream();
    }
  }

  @Override
  public <T> T read(byte[] content, Class<T> type) throws IOException {
    try {
      return type.cast(types.get(type).fromJson(content));
    } catch (JsonException wrong) {
      throw new IOException(wrong.getMessage(), wrong);
    }
  }
}
