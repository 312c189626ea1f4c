package dev.peregrine.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.host.HostMap;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The wrappers against their interfaces: every call of a wrapper reaches the wrapped object as it
 * would without the wrapper.
 */
final class ForwardingTest {
  /** The implementations that override default methods. A call must reach their version. */
  private static final List<String> IMPLEMENTATIONS =
      List.of(
          "dev.peregrine.server.exchange.view.ExchangeRequest",
          "dev.peregrine.server.exchange.view.ExchangeResponse",
          "dev.peregrine.http.coding.DecodedRequest",
          "dev.peregrine.http.coding.CompressedResponse");

  private static final Method NONE = methods().findFirst().orElseThrow();

  static Stream<Method> methods() {
    return Stream.of(Request.class, Response.class)
        .flatMap(type -> Arrays.stream(type.getMethods()))
        .filter(method -> !Modifier.isStatic(method.getModifiers()));
  }

  @ParameterizedTest
  @MethodSource("methods")
  void reachesTheWrappedObjectByEveryMethod(Method method) throws Exception {
    Target direct = new Target(method);
    Target behind = new Target(method);
    Object result = direct.call(direct.proxy(), method);
    Object wrapper = behind.wrapper();
    Object wrapped = behind.call(wrapper, method);

    assertThat(behind.calls).isNotEmpty().isEqualTo(direct.calls);
    if (isFluent(method)) {
      assertThat(wrapped).isSameAs(wrapper);
    } else {
      assertThat(Target.text(wrapped)).isEqualTo(Target.text(result));
    }
  }

  private static boolean isFluent(Method method) {
    return method.getReturnType().equals(method.getDeclaringClass());
  }

  @Test
  void usesWhatASubclassOverridesForMethodsThatAreDefinedByIt() {
    List<String> added = new ArrayList<>();
    Target target = new Target(NONE);
    Response response =
        new ForwardingResponse((Response) Target.proxy(Response.class, target)) {
          @Override
          public Response status(int code) {
            added.add("status " + code);
            return this;
          }

          @Override
          public Response header(String name, String value) {
            added.add(name + " " + value);
            return this;
          }

          @Override
          public Response addHeader(String name, String value) {
            return header(name, value);
          }

          @Override
          public Response contentTypeUnlessSet(ContentType type) {
            added.add(type.toString());
            return this;
          }

          @Override
          public void send(byte[] content) {
            added.add("send " + new String(content, US_ASCII));
          }
        };

    response.setCookie(SetCookie.of("a", "b"));
    response.redirect("/x");
    response.text("plain");
    response.html("<p>");

    assertThat(added)
        .containsExactly(
            "Set-Cookie a=b",
            "status 302",
            "Location /x",
            "send ",
            "text/plain; charset=utf-8",
            "send plain",
            "text/html; charset=utf-8",
            "send <p>");
    assertThat(target.calls).isEmpty();
  }

  @Test
  void readsFormsFromTheBodyThatASubclassHas() throws Exception {
    RequestBody body =
        (RequestBody)
            Target.proxy(
                RequestBody.class,
                (proxy, method, args) ->
                    method.getName().equals("readAll") ? "a=1".getBytes(US_ASCII) : null);
    Request request =
        new ForwardingRequest((Request) Target.proxy(Request.class, new Target(NONE))) {
          @Override
          public RequestBody body() {
            return body;
          }
        };

    assertThat(request.readForm(10).first("a")).isEqualTo("1");
  }

  /**
   * An object that records the calls of methods that aren't defined by others, for each of its
   * interfaces.
   */
  private static final class Target implements InvocationHandler {
    private static final Map<Class<?>, Object> VALUES = values();

    final List<String> calls = new ArrayList<>();
    private final Method called;

    Target(Method called) {
      this.called = called;
    }

    static Object proxy(Class<?> type, InvocationHandler handler) {
      return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
    }

    Object proxy() {
      return proxy(called.getDeclaringClass(), this);
    }

    Object wrapper() {
      Object proxy = proxy();
      return proxy instanceof Request request
          ? new ForwardingRequest(request)
          : new ForwardingResponse((Response) proxy);
    }

    /** Calls a method. Returns its result, or the type of the exception. */
    @Nullable Object call(Object target, Method method) throws Exception {
      Object[] arguments =
          Arrays.stream(method.getParameterTypes()).map(type -> value(type)).toArray();
      try {
        return method.invoke(target, arguments);
      } catch (InvocationTargetException thrown) {
        return Objects.requireNonNull(thrown.getCause()).getClass();
      }
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
      if (method.isDefault() && !isImplemented(method)) {
        return InvocationHandler.invokeDefault(proxy, method, args);
      }
      calls.add(text(method + " " + Arrays.deepToString(args)));
      return isFluent(method) ? proxy : value(method.getReturnType());
    }

    /** Returns the result as text without identity hash codes, which differ from run to run. */
    static String text(@Nullable Object result) {
      return String.valueOf(result).replaceAll("@[0-9a-f]+", "");
    }

    private static boolean isImplemented(Method method) throws ClassNotFoundException {
      for (String name : IMPLEMENTATIONS) {
        Class<?> type = Class.forName(name);
        if (method.getDeclaringClass().isAssignableFrom(type)
            && Arrays.stream(type.getDeclaredMethods())
                .anyMatch(own -> own.getName().equals(method.getName()) && isSame(own, method))) {
          return true;
        }
      }
      return false;
    }

    private static boolean isSame(Method own, Method method) {
      return Arrays.equals(own.getParameterTypes(), method.getParameterTypes());
    }

    private @Nullable Object value(Class<?> type) {
      if (type == String.class) {
        boolean json = called.getName().contains("Json");
        return json ? "application/json" : "application/x-www-form-urlencoded";
      }
      Object value = VALUES.get(type);
      if (value == null && (type.isEnum() || type.isInterface())) {
        value =
            type.isEnum()
                ? type.getEnumConstants()[type.getEnumConstants().length - 1]
                : proxy(type, (proxy, method, args) -> valueOf(proxy, method, args));
        VALUES.put(type, value);
      }
      return value;
    }

    private static @Nullable Object valueOf(Object proxy, Method method, Object[] args) {
      return switch (method.getName()) {
        case "equals" -> System.identityHashCode(proxy) == System.identityHashCode(args[0]);
        case "hashCode" -> 1;
        case "toString" -> "a value";
        default -> VALUES.get(method.getReturnType());
      };
    }

    private static Map<Class<?>, Object> values() {
      Map<Class<?>, Object> values = new HashMap<>();
      values.put(int.class, 7);
      values.put(long.class, 8L);
      values.put(boolean.class, true);
      values.put(byte[].class, new byte[] {});
      values.put(String[].class, new String[] {"a"});
      values.put(Class.class, String.class);
      values.put(List.class, List.of("a=b"));
      values.put(Object.class, "a value");
      values.put(Throwable.class, new IllegalStateException());
      values.put(HttpStatus.class, HttpStatus.FOUND);
      values.put(ByteBuffer.class, ByteBuffer.allocate(1));
      values.put(Duration.class, Duration.ofSeconds(1));
      values.put(Path.class, Path.of("a"));
      values.put(ContentType.class, ContentType.TEXT_PLAIN);
      values.put(PreparedFields.class, PreparedFields.of("A", "b"));
      values.put(SetCookie.class, SetCookie.of("a", "b"));
      values.put(AttributeKey.class, AttributeKey.of("a"));
      values.put(HostMap.class, HostMap.of(Map.of()));
      values.put(Parameters.class, Parameters.NONE);
      values.put(InputStream.class, InputStream.nullInputStream());
      values.put(OutputStream.class, OutputStream.nullOutputStream());
      values.put(Function.class, (Function<Object, Object>) text -> text);
      values.put(java.net.SocketAddress.class, new java.net.InetSocketAddress(0));
      return values;
    }
  }
}
