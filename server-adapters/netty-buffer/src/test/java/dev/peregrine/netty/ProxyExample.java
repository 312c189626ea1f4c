package dev.peregrine.netty;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A proxy: passes requests to another server by Netty's HTTP client. Large content is copied
 * nowhere between the two sockets: what was received for the one is sent to the other, in both
 * directions.
 */
final class ProxyExample implements Handler {
  private static final int CONTENT_BYTES_MAX = 8 * 1024 * 1024;

  private final EventLoopGroup clients;
  private final SocketAddress upstream;

  ProxyExample(EventLoopGroup clients, SocketAddress upstream) {
    this.clients = clients;
    this.upstream = upstream;
  }

  @Override
  public void handle(Request request, Response response) {
    String method = request.methodName();
    String path = request.path();
    LoopExecutor loop = LoopExecutor.of(response.async());
    ByteBufs.receiveAll(
        request.body(),
        CONTENT_BYTES_MAX,
        content ->
            loop.relay(send(HttpMethod.valueOf(method), path, content))
                .addListener(
                    done -> pass((FullHttpResponse) done.getNow(), done.cause(), response)));
  }

  /** On the event loop. */
  private static void pass(
      @Nullable FullHttpResponse received, @Nullable Throwable failure, Response response) {
    if (received == null) {
      response.fail(failure == null ? new IOException("no response") : failure);
      return;
    }
    ByteBuf content = received.content(); // passed on, and released when it is sent
    try {
      response.status(received.status().code());
    } catch (IllegalStateException ended) {
      received.release();
      return;
    }
    ByteBufs.send(response, content);
  }

  private Promise<FullHttpResponse> send(HttpMethod method, String path, ByteBuf content) {
    Promise<FullHttpResponse> promise = clients.next().newPromise();
    FullHttpRequest request =
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, method, path, content);
    request.headers().set(HttpHeaderNames.HOST, "upstream");
    request.headers().set(HttpHeaderNames.CONTENT_LENGTH, content.readableBytes());
    ChannelFuture connected =
        new Bootstrap()
            .group(clients)
            .channel(NioSocketChannel.class)
            .handler(new Client(promise))
            .connect(upstream);
    connected.addListener(
        done -> {
          if (done.isSuccess()) {
            ChannelFuture ignored =
                connected.channel().writeAndFlush(request); // releases the content
          } else {
            request.release();
            promise.tryFailure(done.cause());
          }
        });
    return promise;
  }

  private static final class Client extends ChannelInitializer<Channel> {
    private final Promise<FullHttpResponse> promise;

    Client(Promise<FullHttpResponse> promise) {
      this.promise = promise;
    }

    @Override
    protected void initChannel(Channel channel) {
      channel
          .pipeline()
          .addLast(
              new HttpClientCodec(),
              new HttpObjectAggregator(CONTENT_BYTES_MAX),
              new SimpleChannelInboundHandler<FullHttpResponse>() {
                @Override
                protected void channelRead0(ChannelHandlerContext context, FullHttpResponse got) {
                  if (!promise.trySuccess(got.retain())) {
                    got.release();
                  }
                  ChannelFuture ignored = context.close();
                }

                @Override
                public void channelInactive(ChannelHandlerContext context) {
                  promise.tryFailure(new IOException("the connection has ended"));
                }

                @Override
                public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                  promise.tryFailure(cause);
                  ChannelFuture ignored = context.close();
                }
              });
    }
  }
}
