package dev.peregrine.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The code of docs/guide/tracing.md. */
final class GuideTracingIT {
  private final Recorded recorded = new Recorded();
  private final OpenTelemetry telemetry = recorded.telemetry();

  @AfterEach
  void close() {
    recorded.close();
  }

  // snippet: child
  record Users(OpenTelemetry telemetry) implements Handler {
    @Override
    public void handle(Request request, Response response) {
      Span span = telemetry.getTracer("users").spanBuilder("load user").startSpan();
      try (Scope _ = span.makeCurrent()) {
        response.text("user " + request.pathParameter("id"));
      } finally {
        span.end();
      }
    }
  }

  // end

  @Test
  void tracesRequests() throws Exception {
    // snippet: spans
    Handler routes =
        Routes.builder()
            .get("/users/{id}", Handlers.blocking(new Users(telemetry)))
            .get("/health", (request, response) -> response.text("up"))
            .build();
    Handler traced =
        HttpSpans.builder(routes, telemetry)
            .only(request -> !request.pathIs("/health"))
            .untrusted(request -> true) // on the internet: clients don't choose the trace
            .build();
    HttpServer server = Peregrine.builder().handler(traced).start();
    // end

    try (server;
        HttpClient client = HttpClient.newHttpClient()) {
      for (String path : new String[] {"/health", "/users/7"}) {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
      }
    }

    SpanData first = recorded.take();
    SpanData second = recorded.take();
    boolean inOrder = first.getName().equals("load user"); // the response may be sent before
    SpanData child = inOrder ? first : second;
    SpanData span = inOrder ? second : first;
    assertThat(child.getName()).isEqualTo("load user");
    assertThat(child.getParentSpanId()).isEqualTo(span.getSpanId());
    assertThat(span.getName()).isEqualTo("GET /users/{id}");
  }

  @Test
  void linksMessages() throws Exception {
    Tracer tracer = telemetry.getTracer("chat");
    // snippet: links
    Handler chat =
        (request, response) -> {
          SpanContext handshake = Span.current().getSpanContext();
          response.webSocket(
              new WebSocketListener() {
                @Override
                public void onText(WebSocket socket, Bytes text) {
                  Span message = tracer.spanBuilder("chat message").addLink(handshake).startSpan();
                  try (Scope _ = message.makeCurrent()) {
                    socket.sendText("taken");
                  } finally {
                    message.end();
                  }
                }
              });
        };
    // end

    try (HttpServer server =
            Peregrine.builder().handler(HttpSpans.around(chat, telemetry)).start();
        HttpClient client = HttpClient.newHttpClient()) {
      var socket =
          client
              .newWebSocketBuilder()
              .buildAsync(
                  URI.create("ws://127.0.0.1:" + server.port() + "/"),
                  new java.net.http.WebSocket.Listener() {})
              .join();
      SpanData handshake = recorded.take();
      socket.sendText("hello", true).join();

      assertThat(recorded.take().getLinks().getFirst().getSpanContext().getSpanId())
          .isEqualTo(handshake.getSpanId());
      socket.abort();
    }
  }
}
