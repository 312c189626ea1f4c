package dev.peregrine.examples;

import dev.peregrine.http.JsonCodec;
import io.avaje.json.JsonException;
import io.avaje.json.stream.JsonOutput;
import io.avaje.jsonb.JsonType;
import io.avaje.jsonb.Jsonb;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Type;

/**
 * JSON by avaje-jsonb. Compared with fastjson2 and Jackson 3 it allocates least, needs neither
 * reflection nor Unsafe, and writes bytes to the caller's target.
 */
final class AvajeJson implements JsonCodec {
  /** Passes serialised bytes on; reused by its thread. */
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

  /** The library, loaded for the first value: a quarter of the time in which a server starts. */
  private static final class Library {
    static final Jsonb JSONB = Jsonb.instance();
    static final ThreadLocal<Output> OUTPUTS = ThreadLocal.withInitial(Output::new);
    static final ClassValue<JsonType<Object>> TYPES =
        new ClassValue<>() {
          @Override
          protected JsonType<Object> computeValue(Class<?> type) {
            return JSONB.type((Type) type);
          }
        };

    private Library() {}

    static void write(Object value, OutputStream target) throws IOException {
      Output output = OUTPUTS.get();
      output.target = target;
      try {
        TYPES.get(value.getClass()).toJson(value, output);
      } finally {
        output.target = OutputStream.nullOutputStream();
      }
    }

    static <T> T read(byte[] content, Class<T> type) throws IOException {
      try {
        return type.cast(TYPES.get(type).fromJson(content));
      } catch (JsonException wrong) {
        throw new IOException(wrong.getMessage(), wrong);
      }
    }

    static <T> T read(InputStream content, Class<T> type) throws IOException {
      try {
        return type.cast(TYPES.get(type).fromJson(content));
      } catch (JsonException wrong) {
        throw new IOException(wrong.getMessage(), wrong);
      }
    }
  }

  @Override
  public void write(Object value, OutputStream target) throws IOException {
    Library.write(value, target);
  }

  @Override
  public <T> T read(byte[] content, Class<T> type) throws IOException {
    return Library.read(content, type);
  }

  @Override
  public <T> T read(InputStream content, Class<T> type) throws IOException {
    return Library.read(content, type);
  }
}
