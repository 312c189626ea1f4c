package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.RawConnection;
import dev.peregrine.http.Request;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.coding.Decompression;
import dev.peregrine.http.events.EventStream;
import dev.peregrine.testing.IgnoringListener;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Null is rejected by the call that it is passed to: later it would cost the response. */
final class NullArgumentsIT {
  /** Parameters that may be null, by the method and the index. */
  private static final Set<String> NULLABLE =
      Set.of("attribute 1", "sendNotModified 0", "contentType 0");

  private static final Map<Class<?>, Object> VALUES =
      Map.of(
          int.class,
          1,
          long.class,
          1L,
          boolean.class,
          true,
          String.class,
          "x",
          Duration.class,
          Duration.ZERO,
          Class.class,
          String.class,
          AttributeKey.class,
          AttributeKey.of("key"),
          HttpStatus.class,
          HttpStatus.FOUND,
          byte[].class,
          new byte[1],
          PreparedFields.class,
          PreparedFields.NONE);

  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @ValueSource(strings = {"loop", "blocking", "filtered"})
  void isRejectedByRequestAndResponse(String kind) {
    Handler calling =
        (request, response) -> {
          assertRejected(Request.class, request);
          assertRejected(RequestBody.class, request.body());
          assertRejected(Response.class, response);
          response.send();
        };
    Handler handler =
        switch (kind) {
          case "loop" -> calling;
          case "blocking" -> Handlers.blocking(calling);
          default -> Handlers.blocking(Compression.of(Decompression.builder(calling).build()));
        };
    RawClient client = servers.connect(servers.start(handler));

    client.send(
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx");
    assertThat(client.read().status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isRejectedByStreams(boolean compressed) {
    Handler calling =
        Handlers.blocking(
            (request, response) -> {
              ResponseStream stream = response.contentType(ContentType.TEXT_HTML_UTF_8).stream();
              assertRejected(ResponseStream.class, stream);
              stream.complete();
            });
    HttpServer server = servers.start(compressed ? Compression.of(calling) : calling);
    RawClient client =
        servers.connect(server).send("GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n");

    assertThat(client.read().status()).isEqualTo(200);
  }

  @Test
  void isRejectedByEventStreams() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  EventStream events = EventStream.open(response);
                  assertRejected(EventStream.class, events);
                  events.close();
                }));

    assertThat(servers.connect(server).get("/").read().status()).isEqualTo(200);
  }

  @Test
  void isRejectedByUpgradedConnections() {
    HttpServer server =
        servers.start(
            (request, response) ->
                response.upgrade(
                    "raw",
                    new IgnoringListener() {
                      @Override
                      public void onOpen(RawConnection connection) throws Exception {
                        Thread.ofVirtual()
                            .start(
                                () -> {
                                  Throwable failure =
                                      catchThrowable(
                                          () -> assertRejected(RawConnection.class, connection));
                                  connection.write(new byte[] {(byte) (failure == null ? 1 : 0)});
                                  connection.end();
                                });
                      }
                    }));
    RawClient client =
        servers
            .connect(server)
            .send("GET / HTTP/1.1\r\nHost: x\r\nUpgrade: raw\r\nConnection: upgrade\r\n\r\n");

    client.readUntil("\r\n\r\n");
    assertThat(client.readBytes(1)).containsExactly(1);
  }

  /** Passes null to every parameter of every method, one at a time. */
  private static void assertRejected(Class<?> type, Object target) throws Exception {
    List<String> wrong = new ArrayList<>();
    for (Method method : gettersFirst(type)) {
      Class<?>[] types = method.getParameterTypes();
      for (int i = 0; i < types.length; i++) {
        boolean isTested =
            !types[i].isPrimitive()
                && method.getDeclaringClass() != Object.class
                && !Modifier.isStatic(method.getModifiers())
                && !NULLABLE.contains(method.getName() + " " + i);
        if (isTested && !rejects(method, target, i)) {
          wrong.add(method + " parameter " + i);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** Getters without any state to read reject null too, whatever order the VM lists methods in. */
  private static List<Method> gettersFirst(Class<?> type) {
    return Stream.of(type.getMethods())
        .sorted(Comparator.comparingInt(Method::getParameterCount).thenComparing(Method::toString))
        .toList();
  }

  /** A callback has to be named; whatever else is wrong with the call is as good a reason. */
  private static boolean rejects(Method method, Object target, int index) throws Exception {
    Class<?>[] types = method.getParameterTypes();
    @Nullable Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] = i == index ? null : VALUES.get(types[i]);
    }
    try {
      method.invoke(target, arguments);
      return false;
    } catch (InvocationTargetException thrown) {
      boolean isCallback = types[index].isInterface() && types[index] != Bytes.class;
      return !isCallback
          || (thrown.getCause() instanceof NullPointerException cause
              && String.valueOf(cause.getMessage()).matches("[a-zA-Z]+"));
    }
  }
}
