package dev.peregrine.examples;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpRequest;
import dev.peregrine.http.HttpResponse;
import dev.peregrine.server.HttpServer;
import io.avaje.json.JsonException;
import io.avaje.jsonb.JsonType;
import io.avaje.jsonb.Jsonb;

/**
 * JSON in, JSON out, whole bodies without blocking. Try {@code curl -i --json '{"message":"hi"}'
 * http://127.0.0.1:8080/}.
 */
public final class Json {
  private static final int BODY_BYTES_MAX = 64 * 1024;
  private static final JsonType<Message> MESSAGE = Jsonb.instance().type(Message.class);

  private Json() {}

  static HttpServer start(int port) {
    return HttpServer.builder().port(port).handler(Json::handle).start();
  }

  private static void handle(HttpRequest request, HttpResponse response) {
    request.body().readAll(BODY_BYTES_MAX, content -> reply(read(content), response));
  }

  private static Message read(byte[] content) {
    try {
      return MESSAGE.fromJson(content);
    } catch (JsonException malformed) {
      throw new HttpException(400, "not a message: " + malformed.getMessage());
    }
  }

  private static void reply(Message message, HttpResponse response) {
    Message answer = new Message("You said: " + message.message());
    response.contentType(ContentType.APPLICATION_JSON).send(MESSAGE.toJsonBytes(answer));
  }

  public static void main(String[] args) {
    start(8080);
  }
}
