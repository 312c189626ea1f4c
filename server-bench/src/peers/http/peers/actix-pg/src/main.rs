//! actix-web with tokio-postgres for the workloads of ../../../../blocking that ask the database: one
//! worker. Arguments: its port, the database's port, and `pool` (deadpool: a request has a connection
//! for itself) or `pipelined` (requests take turns on the same connections, and share them).
use actix_web::{http::header, web, App, HttpResponse, HttpServer};
use deadpool_postgres::{Config, ManagerConfig, Pool, PoolConfig, RecyclingMethod, Runtime};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::error::Error;
use std::rc::Rc;
use tokio_postgres::{types::Type, Client, NoTls, Statement};

const ITEMS: i32 = 1000;
const REQUESTS_PER_MISS: i32 = 10;
const CACHE_CONNECTIONS: usize = 10;
const SELECT_CONNECTIONS: usize = 16;
const SELECT: &str = "SELECT text FROM item WHERE id = $1";

type Failure = Box<dyn Error>;

/// Connections that requests share.
struct Shared {
    clients: Vec<(Client, Statement)>,
    turn: Cell<usize>,
}

/// Items of the database, each from one of several connections.
enum Items {
    Pooled(Pool),
    Pipelined(Shared),
}

impl Items {
    async fn open(port: u16, connections: usize, pipelined: bool) -> Items {
        if !pipelined {
            let mut config = Config::new();
            config.host = Some("127.0.0.1".into());
            config.port = Some(port);
            config.user = Some("bench".into());
            config.dbname = Some("postgres".into());
            config.manager = Some(ManagerConfig { recycling_method: RecyclingMethod::Fast });
            config.pool = Some(PoolConfig::new(connections));
            return Items::Pooled(config.create_pool(Some(Runtime::Tokio1), NoTls).unwrap());
        }
        let mut clients = Vec::new();
        for _ in 0..connections {
            let url = format!("host=127.0.0.1 port={port} user=bench dbname=postgres");
            let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
            actix_web::rt::spawn(connection);
            let select = client.prepare_typed(SELECT, &[Type::INT4]).await.unwrap();
            clients.push((client, select));
        }
        Items::Pipelined(Shared { clients, turn: Cell::new(0) })
    }

    async fn query(&self, id: i32) -> Result<web::Bytes, Failure> {
        let row = match self {
            Items::Pooled(pool) => {
                let client = pool.get().await?;
                let select = client.prepare_typed_cached(SELECT, &[Type::INT4]).await?;
                client.query_one(&select, &[&id]).await?
            }
            Items::Pipelined(shared) => {
                let turn = shared.turn.get();
                shared.turn.set((turn + 1) % shared.clients.len());
                let (client, select) = &shared.clients[turn];
                client.query_one(select, &[&id]).await?
            }
        };
        Ok(web::Bytes::copy_from_slice(row.get::<_, &str>(0).as_bytes()))
    }
}

/// What the one worker has.
struct State {
    items: Items,
    selected: Cell<i32>,
    cached_items: Items,
    cached: RefCell<HashMap<i32, web::Bytes>>,
    requests: Cell<i32>,
}

fn next(counter: &Cell<i32>) -> i32 {
    counter.set(counter.get().wrapping_add(1));
    counter.get()
}

fn answer(content: web::Bytes) -> HttpResponse {
    HttpResponse::Ok().insert_header((header::CONTENT_TYPE, "text/plain")).body(content)
}

fn answer_item(item: Result<web::Bytes, Failure>) -> HttpResponse {
    match item {
        Ok(text) => answer(text),
        Err(failure) => {
            eprintln!("{failure}");
            HttpResponse::InternalServerError().finish()
        }
    }
}

async fn plain() -> HttpResponse {
    answer(web::Bytes::from_static(b"Hello, World!"))
}

async fn select(state: web::Data<Rc<State>>) -> HttpResponse {
    let id = next(&state.selected).rem_euclid(ITEMS);
    answer_item(state.items.query(id).await)
}

async fn nine_in_ten(state: web::Data<Rc<State>>) -> HttpResponse {
    let request = next(&state.requests);
    let id = request.rem_euclid(ITEMS);
    if request % REQUESTS_PER_MISS != 0 {
        if let Some(text) = state.cached.borrow().get(&id) {
            return answer(text.clone());
        }
    }
    let item = state.cached_items.query(id).await;
    if let Ok(text) = &item {
        state.cached.borrow_mut().insert(id, text.clone());
    }
    answer_item(item)
}

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let port: u16 = arguments[1].parse().expect("port");
    let database: u16 = arguments[2].parse().expect("port of the database");
    let pipelined = arguments[3] == "pipelined";
    HttpServer::new(move || {
        App::new()
            .data_factory(move || async move {
                Ok::<_, ()>(Rc::new(State {
                    items: Items::open(database, SELECT_CONNECTIONS, pipelined).await,
                    selected: Cell::new(0),
                    cached_items: Items::open(database, CACHE_CONNECTIONS, pipelined).await,
                    cached: RefCell::new(HashMap::new()),
                    requests: Cell::new(0),
                }))
            })
            .route("/plain", web::get().to(plain))
            .route("/jdbc", web::get().to(nine_in_ten))
            .route("/select", web::get().to(select))
    })
    .workers(1)
    .max_connections(100_000)
    .backlog(4096)
    .bind(("127.0.0.1", port))?
    .run()
    .await
}
