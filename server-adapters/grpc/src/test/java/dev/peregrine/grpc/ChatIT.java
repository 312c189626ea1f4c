package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An example: a chat of bidirectional streams, and its members by HTTP on the same port. */
final class ChatIT {
  /** Passes each message to all members. */
  private static final class Chat implements BindableService {
    private final Set<StreamObserver<String>> members = ConcurrentHashMap.newKeySet();

    int members() {
      return members.size();
    }

    @Override
    public ServerServiceDefinition bindService() {
      return ServerServiceDefinition.builder(TestService.NAME)
          .addMethod(TestService.CHAT, ServerCalls.asyncBidiStreamingCall(this::join))
          .build();
    }

    private StreamObserver<String> join(StreamObserver<String> member) {
      members.add(member);
      return new StreamObserver<>() {
        @Override
        public void onNext(String message) {
          for (StreamObserver<String> each : members) {
            synchronized (each) { // members on other threads send to it, too
              each.onNext(message);
            }
          }
        }

        @Override
        public void onError(Throwable cancelled) {
          members.remove(member);
        }

        @Override
        public void onCompleted() {
          members.remove(member);
          synchronized (member) {
            member.onCompleted();
          }
        }
      };
    }
  }

  @Test
  @Timeout(60)
  void passesMessagesToAllMembers() throws Exception {
    Chat chat = new Chat();
    Routes routes =
        Routes.builder()
            .get("/members", (request, response) -> response.text("" + chat.members()))
            .build();
    try (HttpServer server =
        Peregrine.builder()
            .port(0)
            .daemon(true)
            .handler(GrpcServices.of(chat).beside(routes))
            .start()) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("localhost", server.port()).usePlaintext().build();
      Member ann = new Member();
      Member ben = new Member();
      StreamObserver<String> fromAnn = ann.join(channel);
      StreamObserver<String> fromBen = ben.join(channel);
      fromAnn.onNext("I am Ann");
      assertThat(ann.next()).isEqualTo("I am Ann");
      fromBen.onNext("I am Ben");

      assertThat(ann.next()).isEqualTo("I am Ben");
      assertThat(members(server)).isEqualTo("2");
      fromAnn.onCompleted();
      assertThat(ann.next()).isEqualTo("end");
      assertThat(members(server)).isEqualTo("1");
      fromBen.onCompleted();
      channel.shutdownNow();
    }
  }

  private static String members(HttpServer server) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI page = URI.create("http://localhost:" + server.port() + "/members");
      return client
          .send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  /** The messages that a member receives. */
  private static final class Member implements StreamObserver<String> {
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

    StreamObserver<String> join(ManagedChannel channel) {
      return ClientCalls.asyncBidiStreamingCall(TestService.call(channel, TestService.CHAT), this);
    }

    String next() throws InterruptedException {
      return received.take();
    }

    @Override
    public void onNext(String message) {
      received.add(message);
    }

    @Override
    public void onError(Throwable failure) {
      received.add("" + Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
      received.add("end");
    }
  }
}
