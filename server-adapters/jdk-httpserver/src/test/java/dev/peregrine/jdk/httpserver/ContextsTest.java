package dev.peregrine.jdk.httpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The set of contexts, and the choice of one by a path. */
class ContextsTest {
  private static final HttpHandler HANDLER = exchange -> {};

  private final HttpServer server = HttpServer.create();
  private final Contexts byString = new Contexts(false);
  private final Contexts bySegments = new Contexts(true);

  ContextsTest() throws IOException {}

  private String find(Contexts contexts, String path) {
    for (String one : new String[] {"/shop/cart", "/shop", "/other/", "/shop/"}) {
      contexts.add(new Context(server, one, HANDLER));
    }
    Context found = contexts.find(path);
    return found == null ? "none" : found.getPath();
  }

  @ParameterizedTest
  @CsvSource({
    "/shop,       /shop",
    "/shop/,      /shop/",
    "/shop/car,   /shop/",
    "/shop/cart,  /shop/cart",
    "/shop/carts, /shop/cart",
    "/shop/cart/, /shop/cart",
    "/shopping,   /shop",
    "/Shop,       none",
    "/other,      none",
    "/other/,     /other/",
    "/other/x,    /other/",
    "/,           none",
    "*,           none",
    "'',          none",
  })
  void choosesTheLongestPrefix(String path, String expected) {
    assertThat(find(byString, path)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "/shop,       /shop",
    "/shop/,      /shop/",
    "/shop/carts, /shop/",
    "/shop/cart,  /shop/cart",
    "/shop/cart/, /shop/cart",
    "/shopping,   none",
    "/other,      none",
    "/other/x,    /other/",
    "/,           none",
  })
  void choosesTheLongestPrefixOfWholeSegments(String path, String expected) {
    assertThat(find(bySegments, path)).isEqualTo(expected);
  }

  @Test
  void servesAllPathsByTheRoot() {
    byString.add(new Context(server, "/", HANDLER));
    bySegments.add(new Context(server, "/", HANDLER));

    assertThat(byString.find("/any/thing")).isNotNull();
    assertThat(bySegments.find("/any/thing")).isNotNull();
    assertThat(bySegments.find("/")).isNotNull();
    assertThat(byString.find(null)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "shop", "*", " /shop"})
  void refusesAPathThatDoesNotBeginWithASlash(String path) {
    assertThatThrownBy(() -> server.createContext(path))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> server.createContext(path, HANDLER))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesASecondContextForAPath() {
    HttpContext first = server.createContext("/shop");

    assertThatThrownBy(() -> server.createContext("/shop", HANDLER))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> server.createContext("/shop"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(first.getHandler()).isNull();
  }

  @Test
  void takesAPathAgainThatWasRemoved() {
    server.createContext("/shop", HANDLER);
    server.removeContext("/shop");
    HttpContext second = server.createContext("/shop", HANDLER);
    server.removeContext(second);

    assertThat(server.createContext("/shop")).isNotSameAs(second);
  }

  @Test
  void removesOnlyWhatItHas() throws IOException {
    HttpContext own = server.createContext("/shop", HANDLER);
    HttpContext foreign = HttpServer.create().createContext("/shop", HANDLER);

    assertThatThrownBy(() -> server.removeContext("/shop/"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> server.removeContext(foreign))
        .isInstanceOf(IllegalArgumentException.class);
    server.removeContext(own);
    assertThatThrownBy(() -> server.removeContext(own))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @SuppressWarnings("NullAway") // what this is about
  void refusesNull() {
    HttpContext context = server.createContext("/shop");

    assertThatThrownBy(() -> server.createContext(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> server.createContext(null, HANDLER))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> server.createContext("/other", null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> server.removeContext((String) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> server.removeContext((HttpContext) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> context.setHandler(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void takesAHandlerOnce() {
    HttpContext context = server.createContext("/shop");
    context.setHandler(HANDLER);

    assertThat(context.getHandler()).isSameAs(HANDLER);
    assertThatThrownBy(() -> context.setHandler(exchange -> {}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(context.getHandler()).isSameAs(HANDLER);
  }

  @Test
  void describesAContext() {
    HttpContext context = server.createContext("/shop", HANDLER);
    context.getAttributes().put("key", 1);

    assertThat(context.getPath()).isEqualTo("/shop");
    assertThat(context.getServer()).isSameAs(server);
    assertThat(context.getAttributes()).containsEntry("key", 1);
    assertThat(context.getFilters()).isEmpty();
  }

  @Test
  void returnsTheAuthenticatorThatItReplaces() {
    HttpContext context = server.createContext("/shop", HANDLER);
    Authenticator first = new Credentials();

    assertThat(context.setAuthenticator(first)).isNull();
    assertThat(context.getAuthenticator()).isSameAs(first);
    assertThat(context.setAuthenticator(null)).isSameAs(first);
    assertThat(context.getAuthenticator()).isNull();
  }

  private static final class Credentials extends BasicAuthenticator {
    Credentials() {
      super("realm");
    }

    @Override
    public boolean checkCredentials(String user, String password) {
      return user.equals(password);
    }
  }
}
