package dev.peregrine.bench.peer;

import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpOpenListener;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import org.jspecify.annotations.NullUnmarked;
import org.xnio.OptionMap;

/** Undertow's parser, which isn't public, with a new exchange for each request as it needs. */
final class UndertowParser implements PeerParser {
  private static final String PACKAGE = "io.undertow.server.protocol.http.";
  private static final MethodHandle NEW_PARSER;
  private static final MethodHandle NEW_STATE;
  private static final MethodHandle HANDLE;
  private static final MethodHandle IS_COMPLETE;

  static {
    try {
      Class<?> parser = Class.forName(PACKAGE + "RequestParser");
      Class<?> state = Class.forName(PACKAGE + "RequestState");
      MethodHandles.Lookup lookup =
          MethodHandles.privateLookupIn(HttpOpenListener.class, MethodHandles.lookup());
      NEW_PARSER =
          lookup
              .findStatic(parser, "instance", MethodType.methodType(parser, OptionMap.class))
              .asType(MethodType.methodType(Object.class, OptionMap.class));
      NEW_STATE =
          lookup
              .findConstructor(state, MethodType.methodType(void.class))
              .asType(MethodType.methodType(Object.class));
      HANDLE =
          lookup
              .findVirtual(
                  parser,
                  "handle",
                  MethodType.methodType(
                      void.class, ByteBuffer.class, state, HttpServerExchange.class))
              .asType(
                  MethodType.methodType(
                      void.class,
                      Object.class,
                      ByteBuffer.class,
                      Object.class,
                      HttpServerExchange.class));
      IS_COMPLETE =
          lookup
              .findVirtual(state, "isComplete", MethodType.methodType(boolean.class))
              .asType(MethodType.methodType(boolean.class, Object.class));
    } catch (ReflectiveOperationException changed) {
      throw new ExceptionInInitializerError(changed);
    }
  }

  private final ByteBuffer bytes;
  private final Object parser;

  UndertowParser(byte[] heads) {
    bytes = ByteBuffer.allocateDirect(heads.length).put(0, heads);
    try {
      parser = (Object) NEW_PARSER.invokeExact(OptionMap.EMPTY);
    } catch (Throwable failure) {
      throw new IllegalStateException("Undertow", failure);
    }
  }

  @Override
  public long parseAll() {
    bytes.clear();
    long fields = 0;
    while (bytes.hasRemaining()) {
      fields += parseOne();
    }
    return fields;
  }

  @NullUnmarked // the connection is needed only after the head
  private long parseOne() {
    try {
      Object state = (Object) NEW_STATE.invokeExact();
      HttpServerExchange exchange = new HttpServerExchange(null);
      HANDLE.invokeExact(parser, bytes, state, exchange);
      if (!(boolean) IS_COMPLETE.invokeExact(state)) {
        throw new IllegalStateException("Undertow wants more at " + bytes.position());
      }
      long fields = 0;
      for (var values : exchange.getRequestHeaders()) {
        fields += values.size();
      }
      return fields;
    } catch (Throwable failure) {
      throw new IllegalStateException("Undertow", failure);
    }
  }
}
