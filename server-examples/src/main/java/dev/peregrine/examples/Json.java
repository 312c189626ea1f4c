package dev.peregrine.examples;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;

/**
 * JSON in, JSON out, whole bodies without blocking. Try {@code curl -i --json '{"message":"hi"}'
 * http://127.0.0.1:8080/}.
 */
public final class Json {
  private static final int BODY_BYTES_MAX = 64 * 1024;

  private Json() {}

  static HttpServer start(int port) {
    return Peregrine.builder().port(port).handler(Json::handle).json(new AvajeJson()).start();
  }

  private static void handle(Request request, Response response) {
    request.receiveJson(BODY_BYTES_MAX, Message.class, message -> reply(message, response));
  }

  private static void reply(Message message, Response response) {
    response.json(new Message("You said: " + message.message()));
  }

  public static void main(String[] args) {
    start(8080);
  }
}
