package dev.peregrine.examples;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.HttpHandler;
import dev.peregrine.http.HttpRequest;
import dev.peregrine.http.HttpResponse;
import io.avaje.jsonb.JsonType;
import io.avaje.jsonb.Jsonb;

/**
 * Answers a message as JSON, made and serialised for each request.
 *
 * <p>The library is avaje-jsonb: of those that are maintained (fastjson2, Jackson 3) it allocates
 * least, it needs neither reflection nor Unsafe, and it writes bytes where the caller says.
 */
final class JsonHandler implements HttpHandler {
  private final JsonType<Message> type = Jsonb.instance().type(Message.class);
  private final ThreadLocal<JsonBuffer> buffers = ThreadLocal.withInitial(JsonBuffer::new);

  @Override
  public void handle(HttpRequest request, HttpResponse response) {
    JsonBuffer buffer = buffers.get().reset();
    type.toJson(new Message("Hello, World!"), buffer);
    // On the event loop content this small is copied by send: the buffer is free when it returns.
    response.contentType(ContentType.APPLICATION_JSON).send(buffer.content());
  }
}
