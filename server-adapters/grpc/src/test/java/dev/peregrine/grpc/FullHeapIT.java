package dev.peregrine.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls for which memory ends, at each place where the adapter calls code that isn't its own. */
@ParameterizedClass(name = "{0}")
@EnumSource(Setup.class)
@Timeout(60)
@SuppressWarnings("NullAway.Init") // each test begins with start
final class FullHeapIT {
  private static final int INBOUND_BYTES = 64 * 1024; // of the loop, not of a connection
  private static final String FULL = "full, for a test";
  private static final String VICTIM = "victim";
  private static final Metadata.Key<String> NAME =
      Metadata.Key.of("name", Metadata.ASCII_STRING_MARSHALLER);
  private static final Logger LOGGER = Logger.getLogger("dev.peregrine");

  /** Where memory ends, in the order of a call. */
  enum Place {
    NEW_TRACER,
    FILTER_CONTEXT,
    CALL_STARTED,
    EXECUTOR,
    START,
    READY,
    MESSAGE_TRACED,
    PARSE,
    MESSAGE,
    HALF_CLOSE,
    HEAD,
    ENCODE,
    READ_ENCODED,
    SENT_TRACED,
    TRAILERS,
    CLOSED_TRACED,
    COMPLETE
  }

  private static final ServerCallHandler<String, String> ECHOES =
      ServerCalls.asyncUnaryCall(
          (text, answers) -> {
            answers.onNext(text);
            answers.onCompleted();
          });

  @Parameter Setup setup;

  private final Lines lines = new Lines();
  private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
  private final AtomicBoolean due = new AtomicBoolean();
  private final Semaphore echoed = new Semaphore(0);
  private Place place;
  private HttpServer server;
  private ManagedChannel channel;

  /** Has memory end once, if this is the place, and the call not the neighbour. */
  private void reach(Place reached, boolean isVictim) {
    if (isVictim && reached == place && due.compareAndSet(true, false)) {
      throw new OutOfMemoryError(FULL);
    }
  }

  @BeforeEach
  void listen() throws Exception {
    LOGGER.addHandler(lines);
    Executor executor = setup.executor();
    GrpcServices.Builder services =
        GrpcServices.builder()
            .executor(setup.isOnLoop() || setup.isCarried() ? executor : this::execute)
            .addStreamTracerFactory(new Tracers())
            .add(
                ServerServiceDefinition.builder(TestService.NAME)
                    .addMethod(method(), new Service())
                    .addMethod(
                        TestService.ECHO,
                        (call, headers) ->
                            new SimpleForwardingServerCallListener<>(
                                ECHOES.startCall(call, headers)) {
                              @Override
                              public void onComplete() {
                                super.onComplete();
                                echoed.release();
                              }
                            })
                    .build());
    server = setup.start(services.build());
    channel = setup.connect(server);
  }

  private MethodDescriptor<String, String> method() {
    return MethodDescriptor.<String, String>newBuilder()
        .setFullMethodName(TestService.CHAT.getFullMethodName())
        .setType(MethodType.BIDI_STREAMING)
        .setRequestMarshaller(new Texts())
        .setResponseMarshaller(new Texts())
        .build();
  }

  private void execute(Runnable task) {
    reach(Place.EXECUTOR, true); // the others have nothing to run meanwhile
    setup.executor().execute(task);
  }

  @AfterEach
  void hasNothingLeft() throws Exception {
    LOGGER.removeHandler(lines);
    channel.shutdownNow();
    assertThat(channel.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    while (server.connectionCount() > 0) {
      Thread.onSpinWait();
    }
    assertThat(server.bufferBytesInUse()).isLessThanOrEqualTo(INBOUND_BYTES);
    server.close();
    assertThat(server.bufferBytesInUse()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void endsACallWithAStatusAndOneLineAndServesOthers(Place missing) throws Exception {
    place = missing;
    assertThat(echo("before")).isEqualTo("before");
    ClientCall<String, String> neighbour = TestService.call(channel, TestService.CHAT);
    Answers open = new Answers();
    neighbour.start(open, new Metadata());
    neighbour.request(1);
    neighbour.sendMessage("neighbour");
    assertThat(open.messages.take()).isEqualTo("neighbour");

    Answers answers = new Answers();
    due.set(true);
    ClientCall<String, String> call = TestService.call(channel, TestService.CHAT);
    Metadata name = new Metadata();
    name.put(NAME, VICTIM);
    call.start(answers, name);
    call.request(10);
    call.sendMessage(VICTIM);
    call.halfClose();

    boolean isSent = missing == Place.CLOSED_TRACED || missing == Place.COMPLETE;
    boolean isSkipped = missing == Place.EXECUTOR && (setup.isOnLoop() || setup.isCarried());
    assertThat(answers.status.get().isOk()).isEqualTo(isSent || isSkipped);
    while (due.get() && !isSkipped) { // the last places come after the client has its status
      Thread.onSpinWait();
    }
    assertThat(due.getAndSet(false)).isEqualTo(isSkipped);
    neighbour.sendMessage("neighbour");
    neighbour.request(1);
    assertThat(open.messages.take()).isEqualTo("neighbour");
    neighbour.halfClose();
    assertThat(open.status.get().isOk()).isTrue();
    assertThat(echo("after")).isEqualTo("after");
    awaitEnds(isSkipped || missing.compareTo(Place.START) > 0 ? 2 : 1);
    lines.awaitFull(isSkipped ? 0 : 1);
  }

  /** Awaits the ends of the listeners: that of the neighbour, and of the call if it has one. */
  private void awaitEnds(int listeners) throws Exception {
    List<String> seen = new ArrayList<>();
    while (seen.size() < listeners) {
      seen.add(ends.take());
    }
    assertThat(seen).contains("complete");
    assertThat(ends).isEmpty();
  }

  /** Returns an answer, once the server has done with the call. */
  private String echo(String text) throws InterruptedException {
    String answer =
        ClientCalls.blockingUnaryCall(channel, TestService.ECHO, CallOptions.DEFAULT, text);
    echoed.acquire();
    return answer;
  }

  /** Echoes messages. */
  private final class Service implements ServerCallHandler<String, String> {
    @Override
    public ServerCall.Listener<String> startCall(
        ServerCall<String, String> call, Metadata headers) {
      boolean isVictim = headers.containsKey(NAME);
      reach(Place.START, isVictim);
      call.request(1);
      return new ServerCall.Listener<>() {
        private boolean begun;

        @Override
        public void onReady() {
          reach(Place.READY, isVictim);
        }

        @Override
        public void onMessage(String text) {
          reach(Place.MESSAGE, isVictim);
          if (!begun) {
            begun = true;
            Metadata head = new Metadata();
            head.put(lazy("head-bin", Place.HEAD, isVictim), "head");
            call.sendHeaders(head);
          }
          call.sendMessage(text);
          call.request(1);
        }

        @Override
        public void onHalfClose() {
          reach(Place.HALF_CLOSE, isVictim);
          Metadata trailers = new Metadata();
          trailers.put(lazy("end-bin", Place.TRAILERS, isVictim), "end");
          call.close(Status.OK, trailers);
        }

        @Override
        public void onComplete() {
          ends.add("complete");
          reach(Place.COMPLETE, isVictim);
        }

        @Override
        public void onCancel() {
          ends.add("cancelled");
        }
      };
    }
  }

  /** Returns a key whose value becomes bytes only when it is sent. */
  private Metadata.Key<String> lazy(String name, Place reached, boolean isVictim) {
    return Metadata.Key.of(
        name,
        new Metadata.BinaryStreamMarshaller<>() {
          @Override
          public InputStream toStream(String value) {
            reach(reached, isVictim);
            return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
          }

          @Override
          public String parseStream(InputStream stream) {
            return "";
          }
        });
  }

  /** Texts in UTF-8. */
  private final class Texts implements MethodDescriptor.Marshaller<String> {
    @Override
    public InputStream stream(String text) {
      reach(Place.ENCODE, text.equals(VICTIM));
      return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
        @Override
        public synchronized int read(byte[] target, int from, int length) {
          reach(Place.READ_ENCODED, text.equals(VICTIM));
          return super.read(target, from, length);
        }
      };
    }

    @Override
    public String parse(InputStream message) {
      try {
        String text = new String(message.readAllBytes(), StandardCharsets.UTF_8);
        reach(Place.PARSE, text.equals(VICTIM));
        return text;
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }
  }

  /** Notices each step of a call. */
  private final class Tracers extends ServerStreamTracer.Factory {
    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
      if (!method.equals(TestService.CHAT.getFullMethodName())) {
        return new ServerStreamTracer() {};
      }
      boolean isVictim = headers.containsKey(NAME);
      reach(Place.NEW_TRACER, isVictim);
      return new ServerStreamTracer() {
        @Override
        public Context filterContext(Context context) {
          reach(Place.FILTER_CONTEXT, isVictim);
          return context;
        }

        @Override
        public void serverCallStarted(ServerCallInfo<?, ?> call) {
          reach(Place.CALL_STARTED, isVictim);
        }

        @Override
        public void inboundMessage(int sequence) {
          reach(Place.MESSAGE_TRACED, isVictim);
        }

        @Override
        public void outboundMessage(int sequence) {
          reach(Place.SENT_TRACED, isVictim);
        }

        @Override
        public void streamClosed(Status status) {
          reach(Place.CLOSED_TRACED, isVictim);
        }
      };
    }
  }

  /** Collects answers and the status. */
  private static final class Answers extends ClientCall.Listener<String> {
    final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    final CompletableFuture<Status> status = new CompletableFuture<>();

    @Override
    public void onMessage(String text) {
      messages.add(text);
    }

    @Override
    public void onClose(Status last, Metadata trailers) {
      status.complete(last);
    }
  }

  /** The lines of the log about the end of the memory. */
  private static final class Lines extends Handler {
    private final List<String> full = new CopyOnWriteArrayList<>();
    private final List<String> other = new CopyOnWriteArrayList<>();

    void awaitFull(int count) {
      while (full.size() < count && !Thread.currentThread().isInterrupted()) {
        Thread.onSpinWait();
      }
      assertThat(full).as("beside %s", other).hasSize(count);
    }

    @Override
    public void publish(LogRecord line) {
      String text = line.getMessage() + " " + line.getThrown();
      (text.contains(FULL) ? full : other).add(text);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
