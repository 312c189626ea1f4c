/** Reactive HttpHandlers of Spring Framework as handlers. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // have no descriptors
module dev.peregrine.spring {
  requires transitive dev.peregrine.http;
  requires transitive spring.web;
  requires transitive spring.core;
  requires static transitive spring.webflux; // for WebSockets
  requires transitive reactor.core;
  requires org.apache.commons.logging;
  requires org.reactivestreams;
  requires static org.jspecify;

  exports dev.peregrine.spring;
}
