package dev.peregrine.bench.compare.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Netty's HTTP codec on one event loop of java.nio or of its native epoll, set up as in its
 * TechEmpower entry: field lines are not validated, responses leave when a read is complete,
 * content is echoed piece by piece. The flags let it use Unsafe, and turn off its checks of bounds,
 * reference counts and leaks.
 */
final class NettyServer implements ComparedServer {
  static final List<String> FLAGS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
          "-Dio.netty.noUnsafe=false",
          "-Dio.netty.tryReflectionSetAccessible=true",
          "-Dio.netty.buffer.checkBounds=false",
          "-Dio.netty.buffer.checkAccessible=false",
          "-Dio.netty.leakDetection.level=disabled");

  private final EventLoopGroup group;
  private final Class<? extends ServerChannel> listener;

  private NettyServer(IoHandlerFactory poller, Class<? extends ServerChannel> listener) {
    this.group = new MultiThreadIoEventLoopGroup(1, poller);
    this.listener = listener;
  }

  static NettyServer onNio() {
    return new NettyServer(NioIoHandler.newFactory(), NioServerSocketChannel.class);
  }

  static NettyServer onEpoll() {
    return new NettyServer(EpollIoHandler.newFactory(), EpollServerSocketChannel.class);
  }

  @Override
  public int start(int port) throws InterruptedException {
    var _ = group.next().scheduleAtFixedRate(NettyHandler::renewDate, 0, 1, TimeUnit.SECONDS);
    InetSocketAddress address =
        (InetSocketAddress)
            new ServerBootstrap()
                .group(group)
                .channel(listener)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new Pipeline())
                .bind(HOST, port)
                .sync()
                .channel()
                .localAddress();
    return address.getPort();
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static final class Pipeline extends ChannelInitializer<SocketChannel> {
    @Override
    protected void initChannel(SocketChannel channel) {
      channel
          .pipeline()
          .addLast(new HttpServerCodec(new HttpDecoderConfig().setValidateHeaders(false)))
          .addLast(new NettyHandler());
    }
  }
}
