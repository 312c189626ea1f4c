package dev.peregrine.server.loop.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.loop.watch.BlockedTurn.Fault;
import dev.peregrine.server.loop.watch.LoopActivity.Kind;
import dev.peregrine.testing.OwnCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LoopActivityTest {
  private static final String SERVED =
      "dev.peregrine.server.http1.Http1.onInput dev.peregrine.server.connection.Connection.turn"
          + " dev.peregrine.server.loop.EventLoop.run java.lang.Thread.run";
  private static final String HANDLED =
      "com.example.App.handle dev.peregrine.http.route.Routes.handle"
          + " dev.peregrine.server.exchange.Exchange.handle "
          + SERVED;

  @ParameterizedTest
  @CsvSource({
    "APPLICATION, com.example.Db.query",
    "APPLICATION, java.lang.Thread.sleep0 com.example.Db.query",
    "APPLICATION, java.util.regex.Pattern.match",
    "APPLICATION, dev.peregrine.linux.Kernel.call dev.peregrine.server.sockets.SocketCalls.poll",
    "SERVER, dev.peregrine.server.exchange.view.ExchangeResponse.send",
    "SERVER, java.lang.foreign.MemorySegment.ofArray dev.peregrine.http.BlockingHandler.handle",
    "CLASSES, jdk.internal.loader.BuiltinClassLoader.loadClass com.example.Db.query",
    "CLASSES, java.lang.Thread.sleep0 java.util.regex.Pattern.<clinit> com.example.Db.query",
    "INITIALIZER, java.lang.Thread.sleep0 com.example.Db.<clinit>",
    "CLASSES, java.lang.invoke.MethodHandleNatives.linkCallSite com.example.Db.query",
    "FILE, sun.nio.ch.FileDispatcherImpl.read sun.nio.ch.IOUtil.read",
    "FILE, java.io.FileInputStream.readBytes com.example.Db.query",
    "LOG, java.io.PrintStream.write java.util.logging.StreamHandler.publish",
  })
  void reportsTheActivityOfAHandler(Kind kind, String innermost) {
    LoopActivity activity = LoopActivity.of(stack(innermost + " " + HANDLED));

    assertThat(activity.kind()).isEqualTo(kind);
    assertThat(activity.caller()).isEqualTo("com.example.App.handle");
    assertThat(activity.describe(false, "")).startsWith(kind.text + ", com.example.App.handle");
  }

  @ParameterizedTest
  @CsvSource({
    "SERVER, jdk.internal.misc.Unsafe.allocateMemory0"
        + " dev.peregrine.server.memory.BufferPool.acquire",
    "SERVER, dev.peregrine.parser.RequestParser.parse",
    "SERVER, sun.security.ssl.SSLEngineImpl.unwrap dev.peregrine.server.tls.layer.TlsSocket.onReady",
    "SERVER, sun.nio.ch.SocketDispatcher.write0 dev.peregrine.server.transport.nio.NioSocket.write",
    "CLASSES, java.lang.ClassLoader.defineClass1 dev.peregrine.server.http1.Http1.refuse",
    "FILE, sun.nio.ch.FileDispatcherImpl.transferTo0 dev.peregrine.server.transport.nio.NioSocket.sendFile",
    "FILE, sun.nio.fs.UnixNativeDispatcher.open0 dev.peregrine.http.files.StaticFiles.handle",
  })
  void blamesNoHandlerForTheServersOwnWork(Kind kind, String innermost) {
    LoopActivity activity = LoopActivity.of(stack(innermost + " " + SERVED));

    assertThat(activity.kind()).isEqualTo(kind);
    assertThat(activity.caller()).isNull();
    assertThat(activity.describe(false, "")).isEqualTo(kind.text);
  }

  @Test
  void blamesAMethodOfGrpcOnlyForWhatItDoesItself() {
    String call = "io.grpc.stub.ServerCalls.startCall dev.peregrine.grpc.GrpcServices.handle ";

    LoopActivity first = LoopActivity.of(stack("dev.peregrine.grpc.PeregrineCall.begin " + SERVED));
    LoopActivity library = LoopActivity.of(stack(call + SERVED));
    LoopActivity method = LoopActivity.of(stack("com.example.Greeter.greet " + call + SERVED));

    assertThat(first.fault(false, false)).isEqualTo(Fault.MACHINE);
    assertThat(library.fault(false, false)).isEqualTo(Fault.MACHINE);
    assertThat(method.fault(false, false)).isEqualTo(Fault.APPLICATION);
    assertThat(method.caller()).isEqualTo("com.example.Greeter.greet");
  }

  @ParameterizedTest
  @CsvSource({
    "APPLICATION, com.example.Db.query",
    "APPLICATION, java.lang.Thread.sleep0 com.example.Db.<clinit>",
    "APPLICATION, java.io.FileInputStream.readBytes com.example.Db.query",
    "MACHINE, jdk.internal.loader.BuiltinClassLoader.loadClass com.example.Db.query",
    "MACHINE, dev.peregrine.server.exchange.view.ExchangeResponse.send",
  })
  void blamesAHandlerForItsOwnCodeOnly(Fault fault, String innermost) {
    LoopActivity activity = LoopActivity.of(stack(innermost + " " + HANDLED));

    assertThat(activity.fault(false, false)).isEqualTo(fault);
    assertThat(activity.fault(false, true)).isEqualTo(fault);
    assertThat(activity.fault(true, false)).isEqualTo(fault);
    assertThat(activity.fault(true, true)).isEqualTo(Fault.NOBODY);
  }

  @ParameterizedTest
  @CsvSource({
    "MACHINE, java.lang.ClassLoader.defineClass1 dev.peregrine.server.http1.Http1.refuse",
    "MACHINE, dev.peregrine.parser.RequestParser.parse",
    "DISK, sun.nio.ch.FileDispatcherImpl.transferTo0 dev.peregrine.server.transport.nio.NioSocket.sendFile",
    "DISK, java.util.logging.StreamHandler.publish dev.peregrine.server.http1.Http1.refuse",
  })
  void blamesTheMachineForTheServersOwnWork(Fault fault, String innermost) {
    LoopActivity activity = LoopActivity.of(stack(innermost + " " + SERVED));

    assertThat(activity.fault(false, false)).isEqualTo(fault);
  }

  @Test
  void knowsEveryPackageOfTheServer() throws IOException {
    List<Path> roots = new ArrayList<>(OwnCode.mainFolders());
    roots.addAll(OwnCode.adapterFolders());
    for (Path root : roots) {
      try (Stream<Path> files = Files.walk(root)) {
        files
            .map(file -> root.relativize(file).toString().replace('/', '.'))
            .filter(name -> name.endsWith(".java") && name.startsWith("dev."))
            .map(name -> name.substring(0, name.length() - ".java".length()))
            .filter(
                name -> !name.matches("dev\\.peregrine\\.(server\\.)?[A-Za-z-]+")) // what starts it
            .forEach(
                name ->
                    assertThat(LoopActivity.of(stack(name + ".run " + SERVED)).kind())
                        .as(name)
                        .isEqualTo(Kind.SERVER));
      }
    }
  }

  private static StackTraceElement[] stack(String frames) {
    return Arrays.stream(frames.split(" "))
        .map(
            frame -> {
              int dot = frame.lastIndexOf('.');
              return new StackTraceElement(
                  frame.substring(0, dot), frame.substring(dot + 1), null, -1);
            })
        .toArray(StackTraceElement[]::new);
  }
}
