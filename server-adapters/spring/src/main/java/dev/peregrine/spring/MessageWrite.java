package dev.peregrine.spring;

import org.reactivestreams.Publisher;
import org.springframework.web.reactive.socket.WebSocketMessage;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/** Sends the messages of a publisher, and completes when they are sent or the socket is closed. */
final class MessageWrite extends Mono<Void> {
  private final SocketSession session;
  private final Publisher<WebSocketMessage> messages;

  MessageWrite(SocketSession session, Publisher<WebSocketMessage> messages) {
    this.session = session;
    this.messages = messages;
  }

  @Override
  public void subscribe(CoreSubscriber<? super Void> actual) {
    MessageWriter writer = new MessageWriter(session.socket(), actual);
    session.writer(writer);
    actual.onSubscribe(writer);
    messages.subscribe(writer);
  }
}
